import type { Store, Transaction } from '#base/store/store.ts'
import { leaveInOutbox } from '../../outbox/outbox.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

/** For webhooks: messages that were scheduled, or moved. */
export async function emitScheduled(
  tx: Transaction,
  store: Store,
  messages: readonly ScheduledMessage[],
  at: Date,
): Promise<void> {
  const happenings = messages.map((message) => {
    const body = { ...describe(message), count: message.count }
    return { appId: message.appId, kind: 'message.scheduled' as const, at, body }
  })
  await leaveInOutbox(tx, store, happenings)
}

/** For webhooks: those of them that have started. */
export async function emitStarted(
  tx: Transaction,
  store: Store,
  messages: readonly ScheduledMessage[],
  at: Date,
): Promise<void> {
  const happenings = messages.map((message) => {
    return { appId: message.appId, kind: 'message.started' as const, at, body: describe(message) }
  })
  await leaveInOutbox(tx, store, happenings)
}

function describe({ id, sent, dueAt, localTime, occurrence }: ScheduledMessage) {
  return {
    messageId: id,
    ...(sent.trackId != null && { trackId: sent.trackId }),
    ...(sent.clientId != null && { clientId: sent.clientId }),
    ...(occurrence && { seriesId: occurrence.seriesId }),
    sendAt: dueAt.getTime(),
    ...(localTime && { localTime }),
  }
}
