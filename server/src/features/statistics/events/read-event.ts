import type { EventDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { type Period, periodOf, shareOfDay } from '../days/list-days.ts'
import { readEventValues } from '../days/read-event-values.ts'
import { readRevenue } from '../days/read-revenue.ts'

const defaultDays = 30

/** One event: its counts and revenue per day, and what its values are. */
export async function readEvent(
  ctx: Context,
  { name, days }: { name: string; days?: number | undefined },
): Promise<EventDetail> {
  const period = periodOf(ctx.now(), days ?? defaultDays)
  if (!(await isKnown(ctx, name))) throw new RequestError('not-found', 'No event with this name has arrived.')
  const [counts, revenue, values] = await Promise.all([
    readCounts(ctx, name, period),
    readRevenue(ctx, period, { name }),
    readEventValues(ctx, name),
  ])
  return { name, days: period.days, ...counts, revenue, ...values }
}

async function isKnown(ctx: Context, name: string): Promise<boolean> {
  const rows = await db(ctx).query(sql`select from event_days where app_id = ${ctx.app.id} and name = ${name} limit 1`)
  return rows.length > 0
}

async function readCounts(ctx: Context, name: string, period: Period) {
  const rows = await db(ctx).query<{ day: string; count: number }>(sql`
    select day::text, sum(count)::bigint as count from event_days
    where app_id = ${ctx.app.id} and name = ${name} and day between ${period.beforeFrom}::date and ${period.to}::date
    group by 1`)
  const found = new Map(rows.map((row) => [row.day, row.count]))
  const counts = period.days.map((day) => found.get(day) ?? 0)
  const earlier = period.beforeDays.map((day) => found.get(day) ?? 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const before = rows
    .filter(({ day }) => day <= period.beforeTo)
    .reduce((sum, { day, count }) => sum + Math.round(count * shareOfDay(period, day)), 0)
  return { counts, earlier, total, before }
}
