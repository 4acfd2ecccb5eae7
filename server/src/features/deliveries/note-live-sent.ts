import { defineBatch } from '../../base/batch.ts'
import type { Context } from '../../base/context.ts'
import { advanceDeliveries } from './advance-deliveries.ts'
import { takeOutOfInbox } from './inbox-store.ts'

/** A live message was written to a connection. Nobody acknowledges it, and it is not kept. */
export async function noteLiveSent(
  ctx: Context,
  input: { messageId: string; installationNo: number },
): Promise<{ isNoted: true }> {
  return writeLiveSent(ctx, { appId: ctx.app.id, ...input })
}

const writeLiveSent = defineBatch<{ appId: number; messageId: string; installationNo: number }, { isNoted: true }>({
  name: 'live messages',
  maxWeight: 1_000,
  flush: async (tx, sent, { now }) => {
    const at = now()
    await advanceDeliveries(
      tx,
      sent.map((each) => ({ ...each, state: 'sent', provider: 'connection', at })),
    )
    await takeOutOfInbox(tx, sent)
    return sent.map(() => ({ isNoted: true }))
  },
})
