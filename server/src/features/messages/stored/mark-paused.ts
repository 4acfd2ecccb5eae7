import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Says since when it had been paused before, if it was. */
export async function markPaused(
  ctx: Context,
  { id, isPaused }: { id: string; isPaused: boolean },
): Promise<Date | null> {
  const [row] = await db(ctx).query<{ paused_at: Date | null }>(sql`
    with before as (select id, paused_at from messages where app_id = ${ctx.app.id} and id = ${id} for update)
    update messages m set paused_at = case when ${isPaused} then coalesce(m.paused_at, ${ctx.now()}) end
    from before where m.app_id = ${ctx.app.id} and m.id = before.id
    returning before.paused_at`)
  return row?.paused_at ?? null
}
