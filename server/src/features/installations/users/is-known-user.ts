import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Whether there is a user of this id, with devices or without. */
export async function isKnownUser(ctx: Context, userId: string): Promise<boolean> {
  const rows = await db(ctx).query(sql`select from users where app_id = ${ctx.app.id} and user_id = ${userId}`)
  return rows.length > 0
}
