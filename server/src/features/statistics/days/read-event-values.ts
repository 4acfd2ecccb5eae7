import type { EventDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

const lookedAt = 500
const mostNames = 50
const mostValues = 8
const shownCharacters = 100

interface Row {
  name: string
  value: string
  count: number
  seen: number
  kind: string | null
  min: number | null
  average: number | null
  max: number | null
}

/** What the latest events of a name bring with them: the names in their data, and the values seen most. */
export async function readEventValues(ctx: Context, name: string): Promise<Pick<EventDetail, 'looked' | 'values'>> {
  const [looked] = await db(ctx).query<{ count: number }>(sql`
    select count(*) from (select from events where app_id = ${ctx.app.id} and name = ${name} limit ${lookedAt}) e`)
  const rows = await db(ctx).query<Row>(sql`
    with latest as materialized (
      select data from events where app_id = ${ctx.app.id} and name = ${name} order by event_at desc limit ${lookedAt}
    ), pairs as materialized (
      select key, left(value #>> '{}', ${shownCharacters}) as value,
        case jsonb_typeof(value) when 'number' then (value #>> '{}')::numeric end as number
      from latest cross join lateral jsonb_each(data)
      where jsonb_typeof(data) = 'object'
    ), names as (
      select key, count(*) as seen, min(number)::float8 as min, avg(number)::float8 as average, max(number)::float8 as max
      from pairs group by key order by seen desc, key limit ${mostNames}
    ), ranked as (
      select key, value, count(*) as count, row_number() over (partition by key order by count(*) desc, value) as rank
      from pairs group by key, value
    )
    select n.key as name, r.value, r.count, n.seen, v.kind, n.min, n.average, n.max
    from names n join ranked r on r.key = n.key and r.rank <= ${mostValues}
    left join event_value_names v on v.app_id = ${ctx.app.id} and v.event_key = ${name.toLowerCase()} and v.name = n.key
    order by n.seen desc, n.key, r.rank`)
  const values = new Map<string, EventDetail['values'][number]>()
  for (const { name: key, value, count, seen, kind, min, average, max } of rows) {
    const hasNumbers = kind === 'number' && min !== null && average !== null && max !== null
    const own = values.get(key) ?? {
      name: key,
      kind: kind ?? 'text',
      seen,
      top: [],
      ...(hasNumbers && { numbers: { min, average, max } }),
    }
    values.set(key, own)
    own.top.push({ value, count })
  }
  return { looked: looked?.count ?? 0, values: [...values.values()] }
}
