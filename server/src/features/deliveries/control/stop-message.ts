import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { markCancelled } from '../../messages/stored/mark-cancelled.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import { cancelFallbacks } from '../fallback/fallback-store.ts'
import type { DeliveryGroup } from '../progress/count-deliveries.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { awaitStop } from './await-stop.ts'
import { cancelBatches } from './cancel-batches.ts'
import { countInFlight } from './count-in-flight.ts'
import { queueCodeReturns } from './queue-code-returns.ts'

export interface Stopped {
  /** Installations that it was not sent to yet, and now will not be. */
  count: number
  inFlight: number
  handedOver: number
}

/** Nothing of the message is begun to be sent after this transaction. */
export async function stopMessage(ctx: Context & { tx: Transaction }, id: string): Promise<MessageRow> {
  const message = await getMessageRow(ctx, id)
  await markCancelled(ctx, { id: message.id })
  await cancelBatches(ctx, message.id)
  await cancelFallbacks(ctx.tx, { appId: ctx.app.id, messageId: message.id })
  await queueCodeReturns(ctx, message.id)
  return message
}

/**
 * Waits until whoever is sending it has noticed, and counts what came of that. In the caller's transaction nobody else can
 * see the stop yet: then all that is held counts as in flight.
 */
export async function countStopped(ctx: Context, message: MessageRow): Promise<Stopped> {
  if (!ctx.tx) await awaitStop(ctx, message.id, () => cancelBatches(ctx, message.id))
  const inFlight = await countInFlight(ctx, message.id)
  const { rows } = await readDeliveryGroups(ctx, message)
  // What is in an inbox still is ended by a job, a moment later: see settle-cancelled.ts.
  const isOther = ({ state, reason }: DeliveryGroup) =>
    state !== 'queued' && reason !== 'cancelled' && reason !== 'not-in-channel'
  const handedOver = rows.filter(isOther).reduce((sum, { count }) => sum + count, 0)
  return { count: Math.max(0, message.recipients - handedOver - inFlight), inFlight, handedOver }
}
