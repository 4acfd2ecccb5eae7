import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

/** Minimum time for providers to notify a device of a recall, even after the message itself has expired. */
export const clearForHours = 24

/** Extends pushes of recalls after all sending was held back, because some may have expired meanwhile. */
export async function extendRecalls(ctx: Pick<Context, 'store'>): Promise<void> {
  await ctx.store.query(sql`
    update recall_batches set expires_at = peyk_now() + ${clearForHours} * interval '1 hour'
    where expires_at < peyk_now() + ${clearForHours} * interval '1 hour'`)
}
