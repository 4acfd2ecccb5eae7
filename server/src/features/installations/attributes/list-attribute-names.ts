import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

const mostNames = 500

/** The attributes that users of the app have, and of which kind they are for segments. */
export function listAttributeNames(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
): Promise<{ name: string; kind: string }[]> {
  return db(ctx).query<{ name: string; kind: string }>(
    sql`select name, kind from attribute_names where app_id = ${ctx.app.id} order by name limit ${mostNames}`,
  )
}
