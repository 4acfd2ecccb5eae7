import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

export interface AppRetention {
  appId: number
  days: number
}

export interface Retention {
  /** A month may be dropped when it is past this. */
  longestDays: number
  /** Apps that keep less: their rows are deleted one by one. */
  shorter: AppRetention[]
}

/**
 * [users-and-events.md#how-long-data-is-kept] How long each app keeps what grows without end; `usualDays` where it says
 * nothing, or nonsense.
 */
export async function readRetention(
  db: Database,
  setting: 'eventsDays' | 'deliveriesDays',
  defaultDays: number,
): Promise<Retention> {
  const apps = await db.query<{ app_id: number; days: unknown }>(
    sql`select app_id, settings->'retention'->${setting} as days from apps order by app_id`,
  )
  const all = apps.map(({ app_id, days }) => ({ appId: app_id, days: isDays(days) ? days : defaultDays }))
  const longestDays = all.reduce((longest, app) => Math.max(longest, app.days), 0) || defaultDays
  return { longestDays, shorter: all.filter((app) => app.days < longestDays) }
}

function isDays(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= 36_525
}
