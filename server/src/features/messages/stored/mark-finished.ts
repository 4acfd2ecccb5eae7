import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** The last delivery of a group message was handed over or ended. False when that was noted before. */
export async function markFinished(ctx: Context, { id }: { id: string }): Promise<boolean> {
  const rows = await db(ctx).query(sql`
    update messages set finished_at = ${ctx.now()}
    where app_id = ${ctx.app.id} and id = ${id} and finished_at is null returning 1`)
  return rows.length > 0
}
