import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../server/src/base/context.ts'
import { settleCancelled } from '../../server/src/features/deliveries/control/settle-cancelled.ts'
import { listRecalled } from '../../server/src/features/deliveries/recall/list-recalled.ts'
import { recallMessage } from '../../server/src/features/deliveries/recall/recall-message.ts'

const patienceMs = 120_000

/** Recalls a message and does what the jobs do meanwhile. */
export async function recall(ctx: Context, id: string) {
  let isOver = false
  const answer = recallMessage(ctx, { id }, patienceMs).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await settleCancelled(ctx)
    await listRecalled(ctx)
    await delay(20)
  }
  return answer
}
