import { type Context, inTransaction } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { markCancelled } from '../messages/mark-cancelled.ts'
import { cancelBatches } from './cancel-batches.ts'
import { readDeliveryGroups } from './delivery-groups.ts'
import { cancelFallbacks } from './fallback-store.ts'
import { measureProgress } from './measure-progress.ts'

export interface Cancelled {
  id: string
  count: number
  inFlight: number
  handedOver: number
}

/**
 * Stops what is not sent yet, and says how many installations that were. What is being sent at this moment is stopped by
 * who sends it, as far as no provider has it: asked again a second later, the answer counts it on one side or the other.
 */
export async function cancelMessage(ctx: Context, { id }: { id: string }): Promise<Cancelled> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = await getMessageRow(inner, id)
    await markCancelled(inner, { id: message.id })
    await cancelBatches(inner, message.id)
    await cancelFallbacks(tx, { appId: ctx.app.id, messageId: message.id })
    const progress = measureProgress(message, await readDeliveryGroups(inner, message), ctx.now())
    const { total, waiting: inFlight, cancelled: count = 0 } = progress
    return { id: message.id, count, inFlight, handedOver: Math.max(0, total - count - inFlight) }
  })
}
