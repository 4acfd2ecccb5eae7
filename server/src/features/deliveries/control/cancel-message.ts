import type * as contract from '@peyk/contract'
import { type Context, inTransaction } from '../../../base/context.ts'
import { cancelScheduled } from '../../messages/schedule/cancel-scheduled.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { markCancelled } from '../../messages/stored/mark-cancelled.ts'
import { cancelFallbacks } from '../fallback/fallback-store.ts'
import type { DeliveryGroup } from '../progress/count-deliveries.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { awaitStop } from './await-stop.ts'
import { cancelBatches } from './cancel-batches.ts'
import { countInFlight } from './count-in-flight.ts'
import { queueCodeReturns } from './queue-code-returns.ts'

export type Cancelled = contract.AnswerOf<typeof contract.cancelMessage>

/**
 * Stops what is not sent yet, and says how many installations that were. What is being sent at this moment is stopped by
 * who sends it, as far as no provider has it. The answer waits for that: `inFlight` is with a provider that has not
 * answered. In the caller's transaction nobody else can see the cancel yet: then all that is held counts as in flight.
 */
export async function cancelMessage(ctx: Context, { id }: { id: string }): Promise<Cancelled> {
  const notStarted = await cancelScheduled(ctx, id)
  if (notStarted !== undefined) return { id, count: notStarted, inFlight: 0, handedOver: 0 }
  const message = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const found = await getMessageRow(inner, id)
    await markCancelled(inner, { id: found.id })
    await cancelBatches(inner, found.id)
    await cancelFallbacks(tx, { appId: ctx.app.id, messageId: found.id })
    await queueCodeReturns(inner, found.id)
    return found
  })
  if (!ctx.tx) await awaitStop(ctx, message.id, () => cancelBatches(ctx, message.id))
  const inFlight = await countInFlight(ctx, message.id)
  const { rows } = await readDeliveryGroups(ctx, message)
  // What is in an inbox still is ended by a job, a moment later: see settle-cancelled.ts.
  const isOther = ({ state, reason }: DeliveryGroup) =>
    state !== 'queued' && reason !== 'cancelled' && reason !== 'not-in-channel'
  const handedOver = rows.filter(isOther).reduce((sum, { count }) => sum + count, 0)
  return { id: message.id, count: Math.max(0, message.recipients - handedOver - inFlight), inFlight, handedOver }
}
