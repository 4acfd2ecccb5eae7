import { defineBatch } from '#base/batch.ts'
import type { Context } from '#base/context.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'
import { takeOutOfInbox } from './inbox-store.ts'

/** A live message was written to a connection, or cannot be. Nobody acknowledges it, and it is not kept. */
export async function recordLiveSent(
  ctx: Context,
  input: { messageId: string; installationNo: number; isSent: boolean },
): Promise<{ isNoted: true }> {
  return writeLiveSent(ctx, { ...input, appId: ctx.app.id })
}

interface LiveSent extends DeliveryKey {
  isSent: boolean
}

const writeLiveSent = defineBatch<LiveSent, { isNoted: true }>({
  name: 'live messages',
  maxWeight: 1_000,
  flush: async (tx, sent, { now }) => {
    const at = now()
    await advanceDeliveries(
      tx,
      sent.map(({ isSent, ...key }) =>
        isSent
          ? { ...key, state: 'sent', provider: 'connection', at }
          : { ...key, state: 'ended', reason: 'expired', detailCode: 'too-large-for-client', at },
      ),
    )
    await takeOutOfInbox(tx, sent)
    return sent.map(() => ({ isNoted: true }))
  },
})
