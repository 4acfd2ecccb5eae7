import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '@peyk/server/base/context.ts'
import { recordCancelled } from '@peyk/server/features/deliveries/control/record-cancelled.ts'
import { settleCancelled } from '@peyk/server/features/deliveries/control/settle-cancelled.ts'
import { listRecalled } from '@peyk/server/features/deliveries/recall/list-recalled.ts'
import { recallMessage } from '@peyk/server/features/deliveries/recall/recall-message.ts'

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
