import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { settleInAllApps } from '../accounts/alerts/alert-all-apps.ts'
import { cancelMessage } from '../deliveries/control/cancel-message.ts'
import { removeFromInboxes } from '../deliveries/inbox/remove-from-inboxes.ts'
import { extendRecalls } from '../deliveries/recall/extend-recalls.ts'
import { discardCalls } from '../webhooks/calls/discard-calls.ts'
import { listWaitingMessages } from './list-waiting-messages.ts'
import { readRestoreHold } from './read-restore-hold.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

export interface Resumed {
  /** Messages that were cancelled. */
  messages: number
  /** What webhooks are not told any more. */
  webhookCalls: number
}

/**
 * Ends the hold after a restore. Messages that waited in the backup are sent, or cancelled when they are discarded.
 * Recalls, and messages accepted since the restore, are always sent. Returns undefined if nothing is held back. Safe to
 * repeat after a crash.
 */
export async function resumeSending(
  services: Services,
  { waiting }: { waiting: 'send' | 'discard' },
): Promise<Resumed | undefined> {
  const hold = await readRestoreHold(services)
  if (!hold) return undefined
  const resumed = waiting === 'discard' ? await discard(services, hold.restoredAt) : { messages: 0, webhookCalls: 0 }
  await extendRecalls(services)
  await services.store.query(
    sql`update restores set resumed_at = peyk_now(), decision = ${waiting} where resumed_at is null`,
  )
  await settleInAllApps(services, { kind: 'restored' })
  return resumed
}

async function discard(services: Services, upTo: Date): Promise<Resumed> {
  let messages = 0
  // Whoever cancels an occurrence of a series makes the next one, whose time may have come, too.
  for (let waiting = await listWaitingMessages(services.store, upTo); waiting.length > 0; ) {
    for (const { app, messageId } of waiting) await cancelMessage({ ...services, app }, { id: messageId })
    messages += waiting.length
    waiting = await listWaitingMessages(services.store, upTo)
  }
  await removeFromInboxes(services, { upTo })
  return { messages, webhookCalls: await discardCalls(services, { upTo }) }
}
