import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../server/src/base/context.ts'
import { recordCancelled } from '../../server/src/features/deliveries/control/record-cancelled.ts'
import { settleCancelled } from '../../server/src/features/deliveries/control/settle-cancelled.ts'
import { listRecalled } from '../../server/src/features/deliveries/recall/list-recalled.ts'
import { recallMessage } from '../../server/src/features/deliveries/recall/recall-message.ts'

const patienceMs = 120_000

async function doJobs(ctx: Context): Promise<void> {
  await settleCancelled(ctx)
  await recordCancelled(ctx)
  await listRecalled(ctx)
}

/** Recalls a message and does what the jobs do meanwhile and then. */
export async function recall(ctx: Context, id: string) {
  let isOver = false
  const answer = recallMessage(ctx, { id }, patienceMs).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await doJobs(ctx)
    await delay(20)
  }
  await doJobs(ctx)
  return answer
}
