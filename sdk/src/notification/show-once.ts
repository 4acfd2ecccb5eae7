import type { Reporter } from '../reporter.ts'
import type { Database } from '../store/database.ts'
import { claim, isClaimed } from '../store/seen.ts'
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
  appId: string
  database: Database
  reporter: Reporter
  /** Whether the library may; the app may always show it in its own way. */
  mayShow(): boolean
  build(drawn: DrawnNotification): Promise<BuildAnswer>
  show(drawn: DrawnNotification): Promise<void>
}

/**
 * Shows a notification unless somebody did. Whoever shows it holds a lock, which ends with the tab, and marks it when it
 * is done: what failed, or was left in the middle, is shown when the message comes again.
 */
export async function showOnce(drawn: DrawnNotification, parts: ShowParts): Promise<ShownNotification | undefined> {
  const { messageId } = drawn.marks
  return navigator.locks.request(`peyk:${parts.appId}:show:${messageId}`, async () => {
    if (await isClaimed(parts.database, 'shown', messageId)) return undefined
    const shown = await show(drawn, parts)
    if (shown.shownBy === 'nobody') return shown
    const { trackId } = shown
    const receipt = { actionType: 'SHOWN' as const, msgId: messageId, actionTs: Date.now() }
    await parts.reporter.addReceipt({ ...receipt, ...(trackId !== undefined && { trackId }) })
    await claim(parts.database, 'shown', messageId)
    return shown
  })
}

async function show(drawn: DrawnNotification, { build, mayShow, show }: ShowParts): Promise<ShownNotification> {
  const answer = await build(drawn)
  if (answer.isShownByApp) return describe(drawn, 'app')
  const final = applyChanges(drawn, answer.changes)
  if (!mayShow()) return describe(final, 'nobody')
  try {
    await show(final)
    return describe(final, 'library')
  } catch (error) {
    console.error('Peyk: a notification could not be shown.', error)
    return describe(final, 'nobody')
  }
}

function describe({ title, options, marks }: DrawnNotification, shownBy: ShownNotification['shownBy']) {
  const { messageId, trackId } = marks
  return { messageId, ...(trackId !== undefined && { trackId }), notification: { title, ...options }, shownBy }
}
