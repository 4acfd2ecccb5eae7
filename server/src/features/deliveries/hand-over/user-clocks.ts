import sql, { raw, type Sql } from 'sql-template-tag'
import { plainArray } from '#base/store/plain-array.ts'
import type { Database } from '#base/store/store.ts'
import { isTimeZone } from '#base/time-zone.ts'

const zonesLookedAt = 3
const lastUsedFirst = raw('uninstalled_at is not null, launched_at desc, installation_no desc')

/** The time zones of a user's installations, the one that was used last first. */
export function zonesOf(appId: number, userNo: Sql): Sql {
  return sql`array(
    select time_zone from installations
    where app_id = ${appId} and user_no = ${userNo} and time_zone is not null
    order by ${lastUsedFirst} limit ${raw(String(zonesLookedAt))})`
}

/** The first zone that exists; clients say what they like. */
export function firstClock(zones: readonly string[]): string | undefined {
  return zones.find(isTimeZone)
}

/** The zones of these users, of those of whom one is known. */
export async function readUserClocks(
  database: Database,
  appId: number,
  userNos: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.query<{ user_no: number; zone: string }>(
    sql`select distinct on (user_no) user_no, time_zone as zone from installations
        where app_id = ${appId} and user_no = any(${plainArray(userNos)}::bigint[]) and time_zone is not null
        order by user_no, ${lastUsedFirst}`,
    'read-user-clocks',
  )
  const clocks = new Map<number, string>()
  const others: number[] = []
  for (const { user_no, zone } of rows) {
    if (isTimeZone(zone)) clocks.set(user_no, zone)
    else others.push(user_no)
  }
  if (others.length > 0) await addOtherClocks(database, appId, others, clocks)
  return clocks
}

/** Of users whose installation that was used last has a zone that there is not. */
async function addOtherClocks(
  database: Database,
  appId: number,
  userNos: readonly number[],
  clocks: Map<number, string>,
): Promise<void> {
  const rows = await database.query<{ user_no: number; zones: string[] }>(
    sql`select k.user_no, ${zonesOf(appId, sql`k.user_no`)} as zones from unnest(${plainArray(userNos)}::bigint[]) as k(user_no)`,
    'read-user-zones',
  )
  for (const { user_no, zones } of rows) {
    const clock = firstClock(zones)
    if (clock !== undefined) clocks.set(user_no, clock)
  }
}
