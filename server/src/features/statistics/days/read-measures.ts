import { type DayMeasure, type DayPlatform, dayMeasures, dayPlatforms, type Overview } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type Period, shareOfDay } from './list-days.ts'

/** Counted once a day: a part of a day says little of the whole. These are compared by the days that are over. */
const oncePerDay: ReadonlySet<DayMeasure> = new Set(['activeInstallations', 'activeUsers'])

type Row = { day: string; platform: DayPlatform } & Record<DayMeasure, number>

type Measures = Pick<Overview, 'platforms' | 'earlier' | 'before'>

/** What was counted per day and platform, in the days before as well, and the totals of these. */
export async function readMeasures(ctx: Context, period: Period): Promise<Measures> {
  const within = sql`app_id = ${ctx.app.id} and day between ${period.beforeFrom}::date and ${period.to}::date`
  const rows = await db(ctx).query<Row>(
    sql`
      select day::text, platform, sum(installs)::bigint as installs, sum(visits)::bigint as visits,
        sum(active_installations)::bigint as "activeInstallations", sum(active_users)::bigint as "activeUsers",
        sum(uninstalls)::bigint as uninstalls, sum(churned)::bigint as churned, sum(sent)::bigint as sent,
        sum(delivered)::bigint as delivered, sum(shown)::bigint as shown, sum(opened)::bigint as opened
      from (
        select day, platform, installs, visits, active_installations, active_users, uninstalls, churned,
          0 as sent, 0 as delivered, 0 as shown, 0 as opened
        from activity_days where ${within}
        union all
        select day, platform, 0, 0, 0, 0, 0, 0, sent, delivered, shown, opened from delivery_days where ${within}
      ) counted
      group by 1, 2`,
    'read-measures',
  )
  return spread(rows, period)
}

/** Every platform has a value for every day. */
export function spread(rows: readonly Row[], period: Period): Measures {
  const [position, positionBefore] = [placesOf(period.days), placesOf(period.beforeDays)]
  const zeros = () => each(dayPlatforms, () => each(dayMeasures, () => period.days.map(() => 0)))
  const [platforms, earlier] = [zeros(), zeros()]
  const before = each(dayPlatforms, () => each(dayMeasures, () => 0))
  for (const row of rows) {
    const index = position.get(row.day)
    const indexBefore = positionBefore.get(row.day)
    for (const name of dayMeasures) {
      if (index !== undefined) platforms[row.platform][name][index] = row[name]
      if (indexBefore === undefined) continue
      earlier[row.platform][name][indexBefore] = row[name]
      before[row.platform][name] += countBefore(row, name, period)
    }
  }
  return { platforms, earlier, before }
}

function placesOf(days: readonly string[]): Map<string, number> {
  return new Map(days.map((day, index) => [day, index]))
}

function countBefore(row: Row, name: DayMeasure, period: Period): number {
  const share = shareOfDay(period, row.day)
  return oncePerDay.has(name) ? (share === 1 ? row[name] : 0) : Math.round(row[name] * share)
}

function each<Word extends string, Value>(words: readonly Word[], make: () => Value): Record<Word, Value> {
  return Object.fromEntries(words.map((word) => [word, make()])) as Record<Word, Value>
}
