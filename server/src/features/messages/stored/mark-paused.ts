import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'

export async function markPaused(ctx: Context, { id, isPaused }: { id: string; isPaused: boolean }): Promise<void> {
  await db(ctx).query(sql`
    update messages set paused_at = case when ${isPaused} then coalesce(paused_at, ${ctx.now()}) end
    where app_id = ${ctx.app.id} and id = ${id}`)
}
