import { type Context, inTransaction } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { lockSeriesOf } from '../series/series-store.ts'
import { skipOccurrence } from '../series/skip-occurrence.ts'
import { findScheduled, markScheduledCancelled } from './schedule-store.ts'

/** How many installations it would have gone to; undefined when it is no scheduled message, or has started meanwhile. */
export async function cancelScheduled(ctx: Context, id: string): Promise<number | undefined> {
  if (!isUuid(id)) return undefined
  return inTransaction(ctx, async (tx) => {
    const series = await lockSeriesOf(tx, { appId: ctx.app.id, messageId: id })
    const found = await findScheduled(tx, { appId: ctx.app.id, id, isLocked: true })
    if (!found || found.cancelledAt) return found && 0
    if (series && found.occurrence)
      await skipOccurrence(tx, series, {
        occurrence: { id, at: found.occurrence.at },
        store: ctx.store,
        now: ctx.now(),
      })
    else await markScheduledCancelled(tx, { appId: ctx.app.id, id, at: ctx.now() })
    return found.count
  })
}
