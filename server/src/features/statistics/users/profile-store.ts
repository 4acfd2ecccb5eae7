import type { TagOfUser, UserAttribute, UserProfile } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

const newestEvents = 10_000

export async function listTags(ctx: Context, userNo: number): Promise<TagOfUser[]> {
  const rows = await db(ctx).query<{ tag: string; value: string | null }>(sql`
    select tag, value from user_tags where app_id = ${ctx.app.id} and user_no = ${userNo} order by tag`)
  return rows.map(({ tag, value }) => ({ tag, ...(value !== null && { value }) }))
}

export function listAttributes(ctx: Context, userNo: number): Promise<UserAttribute[]> {
  return db(ctx).query<UserAttribute>(sql`
    select a.name, a.kind, a.value, coalesce(n.kind = a.kind, true) as "isInSegments"
    from user_attributes a left join attribute_names n on n.app_id = a.app_id and n.name = a.name
    where a.app_id = ${ctx.app.id} and a.user_no = ${userNo} order by a.name`)
}

/** By currency, out of the user's newest events: a user may have more than can be summed up for a page. */
export async function sumRevenue(ctx: Context, userNo: number): Promise<UserProfile['revenue']> {
  const rows = await db(ctx).query<{
    currency: string
    revenue: number | null
    purchases: number
    looked_at: number
  }>(sql`
    select currency, sum(revenue) as revenue, count(revenue) as purchases, sum(count(*)) over () as looked_at
    from (select coalesce(upper(currency), '') as currency, revenue from events
          where app_id = ${ctx.app.id} and user_no = ${userNo} order by event_at desc limit ${newestEvents}) e
    group by currency order by sum(revenue) desc nulls last, currency`)
  return {
    currencies: rows.flatMap(({ currency, revenue, purchases }) =>
      revenue === null ? [] : [{ currency, revenue, purchases }],
    ),
    isPartial: (rows[0]?.looked_at ?? 0) >= newestEvents,
  }
}
