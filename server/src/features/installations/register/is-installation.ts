import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Whether the app has an installation with this id. */
export async function isInstallation(ctx: Context, id: string): Promise<boolean> {
  const rows = await db(ctx).query(
    sql`select from installations where app_id = ${ctx.app.id} and id = ${id}`,
    'is-installation',
  )
  return rows.length > 0
}
