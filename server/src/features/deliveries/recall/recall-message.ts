import { setTimeout as delay } from 'node:timers/promises'
import type * as contract from '@peyk/contract'
import { type Context, db, inTransaction } from '../../../base/context.ts'
import { cancelScheduled } from '../../messages/schedule/cancel-scheduled.ts'
import { markRecalled } from '../../messages/stored/mark-recalled.ts'
import { countStopped, stopMessage } from '../control/stop-message.ts'
import { readRecall } from './read-recall.ts'
import { findRecallCounts, insertRecall } from './recall-store.ts'

export type Recalled = contract.AnswerOf<typeof contract.recallMessage>

const lookEveryMs = 100
const defaultPatienceMs = 4_000

/**
 * Cancels what has not gone, and has the devices that were handed the message take it away again. The first part has taken
 * effect when this answers; the second is work that is left for whoever sends, and is waited for a moment. Asked again, it
 * changes nothing, and says how far that came.
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
  const { count } = await countStopped(ctx, message)
  const deadlineMs = performance.now() + (ctx.tx ? 0 : patienceMs)
  while (!(await isDone(ctx, message.id)) && performance.now() < deadlineMs) await delay(lookEveryMs)
  return { id: message.id, cancelled: count, ...(await readRecall(ctx, message)) }
}

async function isDone(ctx: Context, messageId: string): Promise<boolean> {
  const counts = await findRecallCounts(db(ctx), { appId: ctx.app.id, messageId })
  return counts === undefined || (counts.isListed && counts.waiting === 0)
}
