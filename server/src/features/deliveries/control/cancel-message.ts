import type * as contract from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { cancelScheduled } from '../../messages/schedule/cancel-scheduled.ts'
import { countStopped, stopMessage } from './stop-message.ts'

export type Cancelled = contract.AnswerOf<typeof contract.cancelMessage>

/**
 * Stops what is not sent yet, and says how many installations that were. What is being sent at this moment is stopped by
 * who sends it, as far as no provider has it. The answer waits for that: `inFlight` is with a provider that has not
 * answered.
 */
export async function cancelMessage(ctx: Context, { id }: { id: string }): Promise<Cancelled> {
  const notStarted = await cancelScheduled(ctx, id)
  if (notStarted !== undefined) return { id, count: notStarted, inFlight: 0, handedOver: 0 }
  const message = await inTransaction(ctx, (tx) => stopMessage({ ...ctx, tx }, id))
  const { count, inFlight, handedOver } = await countStopped(ctx, message)
  return { id: message.id, count, inFlight, handedOver }
}
