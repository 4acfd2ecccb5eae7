import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'

/** Minimum time for which providers try to tell a device of a recall, also after the message itself has expired. */
export const clearForHours = 24

/** Gives the pushes of recalls their time again after all sending was held back: some of them may have expired meanwhile. */
export async function extendRecalls(ctx: Pick<Context, 'store'>): Promise<void> {
  await ctx.store.query(sql`
    update recall_batches set expires_at = peyk_now() + ${clearForHours} * interval '1 hour'
    where expires_at < peyk_now() + ${clearForHours} * interval '1 hour'`)
}
