import { type Context, inTransaction } from '../../../base/context.ts'
import { isUuid } from '../../../base/ids.ts'
import { findScheduled, markScheduledCancelled } from './schedule-store.ts'

/** How many installations it would have gone to; undefined when it is no scheduled message, or has started meanwhile. */
export async function cancelScheduled(ctx: Context, id: string): Promise<number | undefined> {
  if (!isUuid(id)) return undefined
  return inTransaction(ctx, async (tx) => {
    const found = await findScheduled(tx, { appId: ctx.app.id, id, isLocked: true })
    if (found) await markScheduledCancelled(tx, { appId: ctx.app.id, id, at: ctx.now() })
    return found && (found.cancelledAt ? 0 : found.count)
  })
}
