import type { Revenue } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type Period, shareOfDay } from './list-days.ts'

/** Devices may name any currency: those with the largest amounts are shown. */
const mostCurrencies = 10
/** And any amount: sums beyond this could not be told as a number. */
const largest = sql`1e300`

/** Revenue per day in each currency, of all events or of one; the largest total first. */
export async function readRevenue(ctx: Context, period: Period, { name }: { name?: string } = {}): Promise<Revenue[]> {
  const rows = await db(ctx).query<{ day: string; currency: string; amount: number }>(sql`
    select day::text, currency, greatest(-${largest}, least(${largest}, sum(revenue)))::float8 as amount from event_days
    where app_id = ${ctx.app.id} and day between ${period.beforeFrom}::date and ${period.to}::date and revenue <> 0
      ${name === undefined ? empty : sql`and name = ${name}`}
    group by 1, 2`)
  const position = new Map([...period.beforeDays, ...period.days].map((day, index) => [day, index]))
  const zeros = () => period.days.map(() => 0)
  const found = new Map<string, Revenue>()
  for (const { day, currency, amount } of rows) {
    const own = found.get(currency) ?? { currency, amounts: zeros(), earlier: zeros(), total: 0, before: 0 }
    found.set(currency, own)
    const index = (position.get(day) as number) - period.days.length
    if (index >= 0) {
      own.amounts[index] = amount
      own.total = cents(own.total + amount)
    } else {
      own.earlier[index + period.days.length] = amount
      own.before = cents(own.before + amount * shareOfDay(period, day))
    }
  }
  return [...found.values()]
    .sort((a, b) => Math.abs(b.total) - Math.abs(a.total) || (a.currency < b.currency ? -1 : 1))
    .slice(0, mostCurrencies)
}

/** Sums of what the database added up exactly: without the crumbs that adding here leaves. */
function cents(amount: number): number {
  return Math.abs(amount) < 1e9 ? Math.round(amount * 1e6) / 1e6 : amount
}
