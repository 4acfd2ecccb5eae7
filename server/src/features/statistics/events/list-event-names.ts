import type { EventNames } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { listDays, periodOf } from '../days/list-days.ts'

const trendDays = 14
/** A name that nobody used for so long is not listed. */
const listedDays = 90
const mostNames = 500

/** The names of events, the most frequent of the last 14 days first. */
export async function listEventNames(ctx: Context, { search }: { search?: string | undefined }): Promise<EventNames> {
  const period = periodOf(ctx.now(), trendDays)
  const [since] = listDays(ctx.now(), listedDays)
  const words = search?.trim().toLowerCase()
  const rows = await db(ctx).query<{
    name: string
    total: number
    before: number
    has_revenue: boolean
    days: string[] | null
    counts: string[] | null
  }>(sql`
    select name, total, before, has_revenue, days, counts from (
      select name, coalesce(sum(count) filter (where day >= ${period.from}::date), 0)::bigint as total,
        coalesce(sum(case day when ${period.beforeTo}::date then round(count * ${period.passed}::numeric) else count end)
          filter (where day between ${period.beforeFrom}::date and ${period.beforeTo}::date), 0)::bigint as before,
        bool_or(has_revenue) as has_revenue,
        array_agg(day::text order by day) filter (where day >= ${period.from}::date) as days,
        array_agg(count order by day) filter (where day >= ${period.from}::date) as counts, sum(count) as listed
      from (
        select name, day, sum(count)::bigint as count, bool_or(revenue <> 0) as has_revenue from event_days
        where app_id = ${ctx.app.id} and day between ${since}::date and ${period.to}::date
          ${words ? sql`and position(${words} in lower(name)) > 0` : empty}
        group by 1, 2
      ) counted
      group by 1
    ) named
    order by total desc, before desc, listed desc, name limit ${mostNames + 1}`)
  return {
    days: period.days,
    data: rows.slice(0, mostNames).map(({ name, total, before, has_revenue, days, counts }) => {
      const found = new Map(days?.map((day, index) => [day, Number(counts?.[index] ?? 0)]))
      return { name, total, before, hasRevenue: has_revenue, counts: period.days.map((day) => found.get(day) ?? 0) }
    }),
    isCut: rows.length > mostNames,
  }
}
