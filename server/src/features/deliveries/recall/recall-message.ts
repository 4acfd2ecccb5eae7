import { setTimeout as delay } from 'node:timers/promises'
import type * as contract from '@peyk/contract'
import { type Context, db, inTransaction } from '#base/context.ts'
import { cancelScheduled } from '../../messages/schedule/cancel-scheduled.ts'
import { markRecalled } from '../../messages/stored/mark-recalled.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import { countStopped, stopMessage } from '../control/stop-message.ts'
import { readDeliveryGroups } from '../progress/delivery-groups.ts'
import { countClearable } from './clearable.ts'
import { readRecall } from './read-recall.ts'
import { findRecallCounts, hasUnclearPart, insertRecall } from './recall-store.ts'

export type Recalled = contract.AnswerOf<typeof contract.recallMessage>

const lookEveryMs = 100
const defaultPatienceMs = 4_000

/**
 * Cancels what has not gone, and has the devices that were handed the message take it away again. The first part has taken
 * effect when this answers; the second is work that is left for whoever sends, and is waited for a moment, where anybody
 * has the message or may be getting it. Asked again, it changes nothing, and says how far that came.
 */
export async function recallMessage(
  ctx: Context,
  { id }: { id: string },
  patienceMs = defaultPatienceMs,
): Promise<Recalled> {
  const notStarted = await cancelScheduled(ctx, id)
  if (notStarted !== undefined) return { id, cancelled: notStarted, cleared: 0, notReachable: 0 }
  const message = await inTransaction(ctx, async (tx) => {
    const stopped = await stopMessage({ ...ctx, tx }, id)
    await markRecalled({ ...ctx, tx }, { id: stopped.id })
    await insertRecall(tx, { appId: ctx.app.id, messageId: stopped.id })
    return stopped
  })
  const { count, inFlight } = await countStopped(ctx, message)
  if (!ctx.tx && (inFlight > 0 || (await mayBeOnDevices(ctx, message)))) {
    const deadlineMs = performance.now() + patienceMs
    while (!(await isDone(ctx, message.id)) && performance.now() < deadlineMs) await delay(lookEveryMs)
  }
  return { id: message.id, cancelled: count, ...(await readRecall(ctx, message)) }
}

/** Once no process holds a batch, everything handed over has a delivery, unless its process died. */
async function mayBeOnDevices(ctx: Context, message: MessageRow): Promise<boolean> {
  // In this order: what stops being unclear between the two has deliveries by then.
  if (await hasUnclearPart(db(ctx), { appId: ctx.app.id, messageId: message.id })) return true
  const { rows } = await readDeliveryGroups(ctx, message)
  return countClearable(message, rows) > 0
}

async function isDone(ctx: Context, messageId: string): Promise<boolean> {
  const counts = await findRecallCounts(db(ctx), { appId: ctx.app.id, messageId })
  return counts === undefined || (counts.isListed && counts.waiting === 0)
}
