import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export interface TagQuestion {
  prefix?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

/** Steps from one name to the next in the index, so that a tag of a million users costs as much as one of ten. */
export async function listTags(ctx: Context, query: TagQuestion = {}): Promise<string[]> {
  const prefix = query.prefix ?? ''
  const rows = await db(ctx).query<{ tag: string }>(sql`
    with recursive names as (
      (select t.tag from user_tags t
       where t.app_id = ${ctx.app.id} and t.tag >= ${prefix} and (${query.after ?? null}::text is null or t.tag > ${query.after ?? null})
       order by t.tag limit 1)
      union all
      select (select t.tag from user_tags t where t.app_id = ${ctx.app.id} and t.tag > n.tag order by t.tag limit 1)
      from names n
      where starts_with(n.tag, ${prefix})
    )
    select tag from names where starts_with(tag, ${prefix}) limit ${query.limit ?? 100_000}`)
  return rows.map((row) => row.tag)
}
