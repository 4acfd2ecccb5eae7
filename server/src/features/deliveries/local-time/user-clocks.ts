import { setImmediate } from 'node:timers/promises'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
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
  const moments = await readMoments(database, theirs, { localTime, dueAt })
  return {
    known: clocksOf(theirs, moments),
    otherwise: momentOf(localTime, localTime.zone, dueAt) ?? null,
  }
}

/** Of the zones that exist and that installations `o` have. */
async function readMoments(
  database: Database,
  theirs: Sql,
  { localTime, dueAt }: { localTime: LocalTime; dueAt: Date },
): Promise<ZoneMoment[]> {
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
  return moments
}

/**
 * For a large part of an app: `select f.*, at` of installations `f` with `user_no` and `time_zone`. `ofManyZones` are the
 * users whose installations do not say the same; of all others each installation says it itself.
 */
export async function clockEverybody(
  database: Database,
  appId: number,
  { found, ofManyZones }: { found: Sql; ofManyZones: UserNumbers },
  { localTime, dueAt }: { localTime: LocalTime & { zone: string }; dueAt: Date },
): Promise<Sql> {
  const known = await readMoments(database, sql`o.app_id = ${appId}`, { localTime, dueAt })
  // Joined by a number, and from the left: else PostgreSQL expects a group for each user, or hardly any installation.
  const moments = [{ at: momentOf(localTime, localTime.zone, dueAt) ?? null }, ...known].map((moment, number) => ({
    ...moment,
    number,
  }))
  const zones = unnestRows(moments.slice(1) as (ZoneMoment & { number: number })[], 'z', {
    zone: ['text', ({ zone }) => zone],
    number: ['int', ({ number }) => number],
  })
  const [many] = await database.query<{ users: string; numbers: string }>(sql`
    select coalesce(array_agg(user_no), '{}')::text as users, coalesce(array_agg(number), '{}')::text as numbers
    from (
      select distinct on (o.user_no) o.user_no, coalesce(z.number, 0) as number
      from unnest(${ofManyZones}::bigint[]) as m(user_no)
      join installations o on o.app_id = ${appId} and o.user_no = m.user_no
      left join ${zones} on z.zone = o.time_zone
      order by o.user_no, z.zone is null, o.launched_at desc, o.installation_no desc
    ) k`)
  return sql`
    select f.*, m.at
    from (${found}) f
    left join ${zones} on z.zone = f.time_zone
    left join unnest(${many?.users}::bigint[], ${many?.numbers}::int[]) as c(user_no, number) on c.user_no = f.user_no
    left join ${unnestRows(moments, 'm', {
      number: ['int', ({ number }) => number],
      at: ['timestamptz', ({ at }) => at?.toISOString() ?? null],
    })} on m.number = coalesce(c.number, z.number, 0)`
}

/** An array of PostgreSQL as text, for a parameter: with a subquery instead, each parallel worker would find them all again. */
export type UserNumbers = string

const mostOfManyZones = 200_000

/** Users whose installations do not all have the same zone, or none; undefined where there are too many of them. */
export async function readUsersOfManyZones(database: Database, appId: number): Promise<UserNumbers | undefined> {
  const [row] = await database.query<{ users: string; count: number }>(sql`
    select coalesce(array_agg(user_no), '{}')::text as users, count(*) as count
    from (
      select user_no from installations where app_id = ${appId}
      group by user_no having min(coalesce(time_zone, '')) <> max(coalesce(time_zone, ''))
      limit ${mostOfManyZones + 1}
    ) k`)
  return row && row.count <= mostOfManyZones ? row.users : undefined
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
    join ${asZones(moments)} on z.zone = o.time_zone
    where ${theirs}
    order by o.user_no, o.launched_at desc, o.installation_no desc`
}

function asZones(moments: readonly ZoneMoment[]): Sql {
  return unnestRows(moments, 'z', {
    zone: ['text', ({ zone }) => zone],
    at: ['timestamptz', ({ at }) => at?.toISOString() ?? null],
  })
}
