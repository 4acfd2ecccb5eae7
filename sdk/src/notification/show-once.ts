import type { Reporter } from '../reporter.ts'
import type { Database } from '../store/database.ts'
import { claim } from '../store/seen.ts'
import type { DrawnNotification } from './draw-notification.ts'
import { applyChanges, type BuildAnswer, type BuiltNotification } from './hooks.ts'

/** What an app is told of a notification. */
export interface ShownNotification {
  messageId: string
  trackId?: string
  notification: BuiltNotification
  /** `nobody`: the browser does not let us, or could not. */
  shownBy: 'library' | 'app' | 'nobody'
}

interface ShowParts {
  database: Database
  reporter: Reporter
  mayShow(): boolean
  build(drawn: DrawnNotification): Promise<BuildAnswer>
  show(drawn: DrawnNotification): Promise<void>
}

/** Shows a notification unless somebody did: one who may not show it leaves it to whoever may. */
export async function showOnce(drawn: DrawnNotification, parts: ShowParts): Promise<ShownNotification | undefined> {
  const { messageId, trackId } = drawn.marks
  const told = (shown: DrawnNotification, shownBy: ShownNotification['shownBy']): ShownNotification => ({
    messageId,
    ...(trackId !== undefined && { trackId }),
    notification: { title: shown.title, ...shown.options },
    shownBy,
  })
  if (!parts.mayShow()) return told(drawn, 'nobody')
  if (!(await claim(parts.database, 'shown', messageId))) return undefined
  const answer = await parts.build(drawn)
  const final = answer.isShownByApp ? drawn : applyChanges(drawn, answer.changes)
  if (!answer.isShownByApp) {
    try {
      await parts.show(final)
    } catch (error) {
      console.error('Peyk: a notification could not be shown.', error)
      return told(final, 'nobody')
    }
  }
  const receipt = { actionType: 'SHOWN' as const, msgId: messageId, actionTs: Date.now() }
  await parts.reporter.addReceipt({ ...receipt, ...(trackId !== undefined && { trackId }) })
  return told(final, answer.isShownByApp ? 'app' : 'library')
}
