import { type Context, inTransaction } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { markCancelled } from '../messages/mark-cancelled.ts'
import { cancelBatches } from './cancel-batches.ts'
import { countWaiting } from './count-deliveries.ts'
import { readDeliveryGroups } from './delivery-groups.ts'
import { cancelFallbacks } from './fallback-store.ts'

/** Stops what is not sent yet, and says how many installations that were. Asked again, it says the same. */
export async function cancelMessage(ctx: Context, { id }: { id: string }): Promise<{ id: string; count: number }> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = await getMessageRow(inner, id)
    await markCancelled(inner, { id: message.id })
    await cancelBatches(inner, message.id)
    await cancelFallbacks(tx, { appId: ctx.app.id, messageId: message.id })
    const { rows, waiting } = await readDeliveryGroups(inner, message)
    return { id: message.id, count: countWaiting(message.recipients, rows, waiting).cancelled }
  })
}
