import sql, { empty } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { addCounters, counterColumns } from '../write/counter-rows.ts'

/** The user's events without an installation are to go to this one. */
export interface Adoption {
  appId: number
  userNo: number
  installationNo: number
}

export async function findAdoptions(db: Database, limit: number): Promise<Adoption[]> {
  return db.query<Adoption>(
    sql`select app_id as "appId", user_no as "userNo", installation_no as "installationNo"
        from event_adoptions order by app_id, user_no limit ${limit}`,
    'find-adoptions',
  )
}

/** Those that are still there, once nobody writes events under them. */
export async function lockAdoptions(db: Database, adoptions: readonly Adoption[]): Promise<Adoption[]> {
  return db.query<Adoption>(
    sql`select a.app_id as "appId", a.user_no as "userNo", a.installation_no as "installationNo"
        from ${unnestRows(adoptions, 'k', {
          app_id: ['int', (row) => row.appId],
          user_no: ['bigint', (row) => row.userNo],
        })}
        join event_adoptions a on a.app_id = k.app_id and a.user_no = k.user_no
        order by a.app_id, a.user_no for update of a`,
    'lock-adoptions',
  )
}

/** Those of the users who have such events, as their counters tell, and whose installation is still there. */
export async function findWaitingEvents(db: Database, adoptions: readonly Adoption[]): Promise<Adoption[]> {
  return db.query<Adoption>(
    sql`select k.app_id as "appId", k.user_no as "userNo", k.installation_no as "installationNo"
        from ${unnestRows(adoptions, 'k', {
          app_id: ['int', (row) => row.appId],
          user_no: ['bigint', (row) => row.userNo],
          installation_no: ['bigint', (row) => row.installationNo],
        })}
        where exists (select from user_event_counters c where c.app_id = k.app_id and c.user_no = k.user_no)
          and exists (select from installations i where i.app_id = k.app_id and i.installation_no = k.installation_no)`,
    'find-waiting-events',
  )
}

export async function takeAdoption(db: Database, adoption: Adoption): Promise<boolean> {
  return (await takeAdoptions(db, [adoption])) === 1
}

/** Answers how many were still there. */
export async function takeAdoptions(db: Database, adoptions: readonly Adoption[]): Promise<number> {
  if (adoptions.length === 0) return 0
  const taken = await db.query(
    sql`delete from event_adoptions a
        using ${unnestRows(adoptions, 'k', {
          app_id: ['int', (row) => row.appId],
          user_no: ['bigint', (row) => row.userNo],
          installation_no: ['bigint', (row) => row.installationNo],
        })}
        where a.app_id = k.app_id and a.user_no = k.user_no and a.installation_no = k.installation_no
        returning 1`,
    'take-adoptions',
  )
  return taken.length
}

/** The oldest events that wait, from a moment on: how many, at most `limit`, and up to when. */
export async function findSlice(
  db: Database,
  { appId, userNo }: Adoption,
  from: Date,
  limit: number,
): Promise<{ to: Date; count: number } | undefined> {
  const [row] = await db.query<{ to: Date | null; count: number }>(
    sql`select max(event_at) as to, count(*)::int as count from (
          select event_at from events
          where app_id = ${appId} and user_no = ${userNo} and installation_no is null and event_at >= ${from}
          order by event_at limit ${limit}) oldest`,
    'find-adoption-slice',
  )
  return row?.to ? { to: row.to, count: row.count } : undefined
}

/** Without an end: all that are left. */
export async function moveEvents(db: Database, adoption: Adoption, from: Date, to: Date | undefined): Promise<void> {
  const { appId, userNo, installationNo } = adoption
  await db.query(
    sql`update events set installation_no = ${installationNo}
        where app_id = ${appId} and user_no = ${userNo} and installation_no is null and event_at >= ${from}
          ${to ? sql`and event_at <= ${to}` : empty}`,
    to ? 'move-events-until' : 'move-events',
  )
}

/** The key '' only says that there are events. */
export async function moveCounters(db: Database, { appId, userNo, installationNo }: Adoption): Promise<void> {
  await db.query(
    sql`with moved as (
          delete from user_event_counters where app_id = ${appId} and user_no = ${userNo} returning *
        )
        insert into event_counters as c (app_id, installation_no, ${counterColumns})
        select app_id, ${installationNo}, ${counterColumns} from moved where event_key <> '' order by event_key
        on conflict (app_id, event_key, installation_no) do update set ${addCounters}`,
    'move-counters',
  )
}
