import type { Database } from '../store/database.ts'
import { dropMessage } from '../store/inbox.ts'
import { claim } from '../store/seen.ts'
import type { Marks } from './draw-notification.ts'

interface ClearParts {
  appId: string
  database: Database
  registration: ServiceWorkerRegistration | undefined
}

/**
 * Takes a recalled message away: out of the inbox, and its notification off the screen. Where its push comes later than
 * this, it is not shown any more. What is closed here was not dismissed by anybody.
 */
export async function clearMessage(messageId: string, { appId, database, registration }: ClearParts): Promise<void> {
  await navigator.locks.request(`peyk:${appId}:show:${messageId}`, async () => {
    await claim(database, 'shown', messageId)
    await claim(database, 'settled', messageId)
    await dropMessage(database, messageId).catch(console.warn)
    for (const shown of (await registration?.getNotifications()) ?? [])
      if ((shown.data as { peyk?: Marks } | null)?.peyk?.messageId === messageId) shown.close()
  })
}
