import { setImmediate } from 'node:timers/promises'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'
import { unnestRows } from '../../../base/store/unnest-rows.ts'
import { type LocalTime, momentOf } from '../../messages/local-time/local-time.ts'

/** When a message with a local time goes to users of a zone; null for those who are left out. */
interface ZoneMoment {
  zone: string
  at: Date | null
}

export interface UserClocks {
  /** `select user_no, at` of users of whom a zone is known. */
  known: Sql
  /** For all others. */
  otherwise: Date | null
}

/** The numbers that all of some users have are within it; null for no users. */
export interface UserRange {
  first: number | null
  last: number | null
}

/** Clients may say anything to be their zone. So many names that users have are looked at, those of most users first. */
const mostZones = 1_000
const zonesPerTurn = 20

/**
 * When a message goes to each of the users of `users`, a statement that selects `user_no`. A user's zone is that of the
 * installation that was seen last, of those whose zone there is. With a `range`, not all installations of the app are read.
 */
export async function readUserClocks(
  database: Database,
  appId: number,
  users: Sql,
  { localTime, dueAt, range }: { localTime: LocalTime & { zone: string }; dueAt: Date; range?: UserRange | undefined },
): Promise<UserClocks> {
  const theirs = installationsOf(appId, users, range)
  const rows = await database.query<{ zone: string }>(sql`
    select o.time_zone as zone from installations o
    where ${theirs} and o.time_zone is not null
    group by 1 order by count(*) desc, 1 limit ${mostZones}`)
  const moments: ZoneMoment[] = []
  for (const [index, { zone }] of rows.entries()) {
    if (index % zonesPerTurn === zonesPerTurn - 1) await setImmediate()
    const at = momentOf(localTime, zone, dueAt)
    if (at !== undefined) moments.push({ zone, at })
  }
  return {
    known: clocksOf(theirs, moments),
    otherwise: momentOf(localTime, localTime.zone, dueAt) ?? null,
  }
}

/** That an installation `o` is of one of the users. */
function installationsOf(appId: number, users: Sql, range: UserRange | undefined): Sql {
  const near = range ? sql`and o.user_no between ${range.first}::bigint and ${range.last}::bigint` : empty
  return sql`o.app_id = ${appId} ${near} and o.user_no in (${users})`
}

function clocksOf(theirs: Sql, moments: readonly ZoneMoment[]): Sql {
  return sql`
    select distinct on (o.user_no) o.user_no, z.at
    from installations o
    join ${unnestRows(moments, 'z', {
      zone: ['text', ({ zone }) => zone],
      at: ['timestamptz', ({ at }) => at?.toISOString() ?? null],
    })} on z.zone = o.time_zone
    where ${theirs}
    order by o.user_no, o.launched_at desc, o.installation_no desc`
}
