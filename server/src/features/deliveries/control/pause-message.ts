import type * as contract from '@peyk/contract'
import { type Context, db, inTransaction } from '#base/context.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { markPaused } from '../../messages/stored/mark-paused.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import { countFallbacks } from '../fallback/fallback-store.ts'
import { countInInbox, countWaiting } from '../progress/count-deliveries.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { awaitStop } from './await-stop.ts'
import { countInFlight } from './count-in-flight.ts'
import { pauseBatches } from './pause-batches.ts'
import { resumeMessage } from './resume-message.ts'

export type Paused = contract.AnswerOf<typeof contract.pauseMessage>

/**
 * Stops handing a message over, until it is resumed, and says how many wait now. What is being sent is put back by who
 * sends it, as far as no provider has it; the answer waits for that, unless it is in the caller's transaction.
 */
export async function pauseMessage(ctx: Context, { id }: { id: string }): Promise<Paused> {
  const message = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const found = await getMessageRow(inner, id)
    await markPaused(inner, { id: found.id, isPaused: true })
    await pauseBatches(inner, found.id)
    return found
  })
  if (!ctx.tx) await awaitStop(ctx, message.id, () => pauseBatches(ctx, message.id))
  const inFlight = await countInFlight(ctx, message.id)
  const { rows, waiting } = await readDeliveryGroups(ctx, message)
  const { queued } = countWaiting(message.recipients, rows, waiting)
  const kept = Math.max(0, queued - inFlight) + countInInbox(rows)
  const isPaused = kept + inFlight > 0 || (await hasWaitingSms(ctx, message))
  // Nobody would resume a message of which nothing waits.
  if (!isPaused) await resumeMessage(ctx, { id: message.id })
  return { id: message.id, paused: isPaused, waiting: kept, inFlight }
}

async function hasWaitingSms(ctx: Context, { id, body }: MessageRow): Promise<boolean> {
  if (!body.fallback) return false
  const { waiting = 0 } = await countFallbacks(db(ctx), { appId: ctx.app.id, messageId: id })
  return waiting > 0
}
