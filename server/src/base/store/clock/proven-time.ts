import sql, { raw } from 'sql-template-tag'
import { listMonths } from '../months.ts'
import type { Database, Store } from '../store.ts'

const DAY = 86_400_000
/** A time that is further from all that is stored is believed after the service has run so long with it. */
const provenDays = 7

/**
 * The time that old data are measured from: now, unless a clock seems to have jumped. Of a time far ahead of all days
 * on which the service ran, and of all that is stored, nothing is believed for a week; meanwhile the last time before it
 * counts, so that nothing is dropped for a wrong clock's sake.
 */
export async function provenTime(store: Store, now: Date): Promise<Date> {
  const rows = await store.query<{ day: string }>(sql`
    with today as (insert into clock_days values (${dayOf(now)}::date) on conflict do nothing)
    select day::text from clock_days where day < ${dayOf(now)}::date order by day desc limit 60`)
  const days = rows.map(({ day }) => new Date(`${day}T00:00:00Z`))
  return findProven(now, days, () => newestStored(store, now))
}

/** As if the service had run on the days before, too. */
export async function rememberDays(database: Database, now: Date): Promise<void> {
  await database.query(sql`
    insert into clock_days select day::date
    from generate_series(${dayOf(now)}::date - ${provenDays + 1}::int, ${dayOf(now)}::date, interval '1 day') day
    on conflict do nothing`)
}

/** `days` are those before today, the last first. */
export async function findProven(
  now: Date,
  days: readonly Date[],
  newestStored: () => Promise<Date | undefined>,
): Promise<Date> {
  const isGap = (earlier: Date, later: Date) => Number(later) - Number(earlier) > provenDays * DAY
  let first = now
  let before: Date | undefined
  for (const day of days) {
    if (isGap(day, first)) {
      before = new Date(Number(day) + DAY)
      break
    }
    first = day
  }
  if (Number(now) - Number(first) >= provenDays * DAY) return now
  before ??= await newestStored()
  return before !== undefined && isGap(before, first) ? before : now
}

/** The end of the newest month that has events or messages; undefined when there is nothing. */
async function newestStored(store: Store, now: Date): Promise<Date | undefined> {
  const ends: number[] = []
  for (const table of ['events', 'messages'] as const) {
    for (const { partition, startsAt, endsAt } of (await listMonths(store, table)).toReversed()) {
      if (startsAt > now) continue
      const [row] = await store.query<{ is_used: boolean }>(
        sql`select exists (select from ${raw(partition)}) as is_used`,
      )
      if (!row?.is_used) continue
      ends.push(Math.min(Number(endsAt), Number(now)))
      break
    }
  }
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
