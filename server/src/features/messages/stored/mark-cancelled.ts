import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Notes that a message was cancelled, the first time it is. False when there is no such message. */
export async function markCancelled(ctx: Context, { id }: { id: string }): Promise<boolean> {
  const rows = await db(ctx).query(sql`
    update messages set cancelled_at = coalesce(cancelled_at, ${ctx.now().toISOString()}::timestamptz)
    where app_id = ${ctx.app.id} and id = ${id} returning 1`)
  return rows.length > 0
}
