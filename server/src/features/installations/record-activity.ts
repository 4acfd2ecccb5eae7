import sql, { type Sql } from 'sql-template-tag'
import { counterSlot, slotApart } from '#base/counter-slot.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** What an installation did on one day. */
export interface Activity {
  appId: number
  userNo: number
  deviceType: string
  at: Date
  isInstall?: boolean
  isVisit?: boolean
  /** The installation's first visit of the day. */
  isFirst?: boolean
}

/**
 * Adds rows of (app_id, user_no, device_type, at, is_install, is_visit, is_first) to the counts of their days. A user is
 * active for the first time that day when none of their installations was launched on it yet: as this statement sees them.
 */
export function addActivityDays(activities: Sql, slot: number): Sql {
  return sql`
    insert into activity_days as d (app_id, day, platform, slot, installs, visits, active_installations, active_users)
    select app_id, day, platform, ${slot}::smallint, count(*) filter (where is_install), count(*) filter (where is_visit),
      count(*) filter (where is_first), count(*) filter (where is_first and is_one and not exists (
        select from installations i
        where i.app_id = dated.app_id and i.user_no = dated.user_no and i.launched_at >= starts_at and i.launched_at < ends_at))
    from (
      select *, case when device_type in ('android', 'ios', 'web') then device_type else 'other' end collate "C" as platform,
        (at at time zone 'UTC')::date as day,
        date_trunc('day', at, 'UTC') as starts_at, date_trunc('day', at, 'UTC') + interval '1 day' as ends_at,
        row_number() over (partition by app_id, user_no, (at at time zone 'UTC')::date order by is_first desc) = 1 as is_one
      from ${activities}) dated
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (app_id, day, platform, slot) do update
    set installs = d.installs + excluded.installs, visits = d.visits + excluded.visits,
      active_installations = d.active_installations + excluded.active_installations,
      active_users = d.active_users + excluded.active_users`
}

/** Adds to the counts of the day. Call it before the installations' own rows are written. */
export async function recordActivity(tx: Transaction, activities: readonly Activity[]): Promise<void> {
  if (activities.length === 0) return
  const happened = sql`(
    select app_id, user_no, device_type, to_timestamp(at / 1000) as at, is_install, is_visit, is_first
    from ${unnestRows(activities, 'a', {
      app_id: ['int', ({ appId }) => appId],
      user_no: ['bigint', ({ userNo }) => userNo],
      device_type: ['text', ({ deviceType }) => deviceType],
      at: ['float8', ({ at }) => at.getTime()],
      is_install: ['boolean', ({ isInstall = false }) => isInstall],
      is_visit: ['boolean', ({ isVisit = false }) => isVisit],
      is_first: ['boolean', ({ isFirst = false }) => isFirst],
    })}) happened`
  await tx.query(addActivityDays(happened, counterSlot(activities.length)), 'record-activity')
}

/** These installations are gone. They have a slot of their own: whoever visits is not waited for. */
export async function countUninstalls(
  tx: Transaction,
  appId: number,
  uninstalls: readonly { device_type: string; is_churn: boolean }[],
  at: Date,
): Promise<void> {
  if (uninstalls.length === 0) return
  await tx.query(
    sql`insert into activity_days as d (app_id, day, platform, slot, uninstalls, churned)
        select ${appId}, (${at}::timestamptz at time zone 'UTC')::date,
          case when device_type in ('android', 'ios', 'web') then device_type else 'other' end collate "C", ${slotApart}::smallint, count(*),
          count(*) filter (where is_churn)
        from ${unnestRows(uninstalls, 'u', {
          device_type: ['text', (uninstall) => uninstall.device_type],
          is_churn: ['boolean', (uninstall) => uninstall.is_churn],
        })}
        group by 3 order by 3
        on conflict (app_id, day, platform, slot) do update
        set uninstalls = d.uninstalls + excluded.uninstalls, churned = d.churned + excluded.churned`,
    'count-uninstalls',
  )
}
