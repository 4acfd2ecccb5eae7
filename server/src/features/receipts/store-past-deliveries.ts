import type { DeliveryReason } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { dropBatches } from '../deliveries/dispatch/drop-batches.ts'
import { advanceDeliveries } from '../deliveries/progress/advance-deliveries.ts'
import { countActions } from '../deliveries/progress/count-actions.ts'
import { openInfluence } from '../events/influence/open-influence.ts'
import type { Receipt } from './receipt.ts'
import { insertReceipts } from './receipts-store.ts'

export interface PastDelivery {
  installationNo: number
  provider: string
  at: Date
  /** Why it was not sent. */
  end?: { reason: DeliveryReason; detail?: string }
  receipts: readonly Omit<Receipt, 'messageId'>[]
}

/**
 * What became of a message that was sent before it was known here: nothing of it goes out any more. `ctx.now` is when
 * it was sent, so that what followed an opening counts for it.
 */
export async function storePastDeliveries(
  ctx: Context,
  input: { messageId: string; recipients: number; deliveries: readonly PastDelivery[] },
): Promise<void> {
  const { messageId, recipients, deliveries } = input
  const appId = ctx.app.id
  await inTransaction(ctx, async (tx) => {
    await dropBatches({ ...ctx, tx }, messageId)
    await advanceDeliveries(
      tx,
      deliveries.map(({ installationNo, provider, at, end }) => ({
        appId,
        messageId,
        installationNo,
        recipients,
        at,
        provider,
        state: end ? 'ended' : 'sent',
        ...end,
      })),
    )
    const receipts = deliveries.flatMap(({ installationNo, receipts }) =>
      receipts.map((receipt) => ({ appId, messageId, installationNo, recipients, ...receipt })),
    )
    if (receipts.length === 0) return
    await advanceDeliveries(
      tx,
      receipts.map(({ kind, happenedAt, ...receipt }) => ({ ...receipt, state: kind, at: happenedAt })),
    )
    await insertReceipts(tx, receipts, ctx.now())
    await countActions(
      tx,
      receipts.filter(({ kind }) => kind === 'acted'),
    )
    await openInfluence(
      tx,
      receipts.filter(({ kind }) => kind === 'opened' || kind === 'acted'),
      ctx.now(),
    )
  })
}
