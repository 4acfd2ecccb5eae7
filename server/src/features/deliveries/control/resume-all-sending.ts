import type { Sending } from '@peyk/contract'
import sql from 'sql-template-tag'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { markResumed } from '../../accounts/apps/stop-store.ts'
import { delayFallbacksOfApp } from '../fallback/fallback-store.ts'
import { getSending } from './get-sending.ts'

/** Goes on where all was stopped, and says what that is. Messages that were paused one by one stay paused. */
export async function resumeAllSending(ctx: Context): Promise<Sending> {
  const resumed = await inTransaction(ctx, async (tx) => {
    const stoppedAt = await markResumed(tx, ctx.app.id)
    if (stoppedAt) {
      await tx.query(sql`
        update delivery_batches set stopped_at = null where app_id = ${ctx.app.id} and state = 'queued' and stopped_at is not null`)
      await delayFallbacksOfApp(tx, ctx.app.id, stoppedAt)
    }
    return getSending({ ...ctx, tx })
  })
  announceWork(ctx.store)
  return resumed
}
