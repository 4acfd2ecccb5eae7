import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Notes that a message was recalled, the first time it is. */
export async function markRecalled(ctx: Context, { id }: { id: string }): Promise<void> {
  await db(ctx).query(sql`
    update messages set recalled_at = coalesce(recalled_at, ${ctx.now()}) where app_id = ${ctx.app.id} and id = ${id}`)
}
