import sql from 'sql-template-tag'
import { lockOf } from '../../base/bus.ts'
import type { Database, Transaction } from '../../base/store/store.ts'
import { activitySlot, addActivityDays } from './note-activity.ts'

/** The holder of a connection that is over. */
const nobody = '00000000-0000-0000-0000-000000000000'

export interface Visitor {
  appId: number
  installationId: string
  userId: string
}

export interface FoundVisitor {
  installation_no: number
  user_no: number
  device_type: string
  launched_at: Date
  uninstalled_at: Date | null
  user_id: string
  subscriptions: string[]
  event_topics: string[]
  has_session: boolean
}

/** Each in order, locked by number until the transaction ends; undefined where there is no such installation. */
export async function lockVisitors(
  tx: Transaction,
  visitors: readonly Visitor[],
): Promise<(FoundVisitor | undefined)[]> {
  const rows = await tx.query<FoundVisitor & { app_id: number; id: string }>(
    sql`select i.app_id, i.id, i.installation_no, i.user_no, i.device_type, i.launched_at, i.uninstalled_at, u.user_id,
          i.subscriptions, d.event_topics, d.has_session
        from (select distinct app_id, id
              from unnest(${visitors.map(({ appId }) => appId)}::int[], ${visitors.map(({ installationId }) => installationId)}::uuid[])
                as v(app_id, id)) k
        join installations i on i.app_id = k.app_id and i.id = k.id
        join users u on u.app_id = i.app_id and u.user_no = i.user_no
        join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
        order by i.app_id, i.installation_no
        for no key update of i`,
    'lock-visitors',
  )
  const found = new Map(rows.map((row) => [`${row.app_id}/${row.id}`, row]))
  return visitors.map(({ appId, installationId }) => found.get(`${appId}/${installationId}`))
}

export interface EnteredVisitor extends FoundVisitor {
  position: number
  /** Of the connection before; null when there was none, or when nobody knows what was sent over it. */
  unacknowledged: string[] | null
  had_connection: boolean
}

/**
 * Lets in those who are who they say and take over from nobody, in one statement, which is its own transaction. Answers
 * whom it let in; the others need a closer look. Each installation once.
 */
export async function enterVisitors(
  database: Database,
  visitors: readonly (Visitor & { holder: string; connectionId: string; isClean: boolean })[],
  at: Date,
): Promise<EnteredVisitor[]> {
  return database.query<EnteredVisitor>(
    sql`
      with came as (
        select * from unnest(
          ${visitors.map(({ appId }) => appId)}::int[], ${visitors.map(({ installationId }) => installationId)}::uuid[],
          ${visitors.map(({ userId }) => userId)}::text[], ${visitors.map(({ holder }) => holder)}::uuid[],
          ${visitors.map(({ connectionId }) => connectionId)}::uuid[], ${visitors.map(({ isClean }) => isClean)}::boolean[]
        ) with ordinality as v(app_id, id, user_id, holder, connection_id, is_clean, position)
      ), found as materialized (
        select v.position, v.holder, v.connection_id, v.is_clean, i.app_id, i.installation_no, i.user_no, i.device_type,
          i.launched_at, i.uninstalled_at, v.user_id, i.subscriptions, d.event_topics, d.has_session,
          c.connection_id as before_id, c.unacknowledged
        from came v
        join installations i on i.app_id = v.app_id and i.id = v.id
        join users u on u.app_id = i.app_id and u.user_no = i.user_no and u.user_id = v.user_id
        join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
        left join connections c on c.app_id = i.app_id and c.installation_no = i.installation_no
        where c.holder is null or c.holder = ${nobody}
        order by i.app_id, i.installation_no
        for no key update of i
      ), entered as (
        insert into connections as c (app_id, installation_no, holder, connection_id)
        select app_id, installation_no, holder, connection_id from found order by app_id, installation_no
        on conflict (app_id, installation_no) do update
        set holder = excluded.holder, connection_id = excluded.connection_id, is_open = true, connected_at = now(),
          unacknowledged = '{}'
        where c.holder = ${nobody} and exists (
          select from found f
          where f.app_id = c.app_id and f.installation_no = c.installation_no and f.before_id = c.connection_id)
        returning app_id, installation_no
      ), visits as materialized (
        select found.* from found join entered using (app_id, installation_no)
      ), days as (
        ${addActivityDays(
          sql`(
            select app_id, user_no, device_type, ${at}::timestamptz as at, uninstalled_at is not null as is_install, true as is_visit,
              launched_at < date_trunc('day', ${at}::timestamptz, 'UTC') as is_first
            from visits) visit`,
          activitySlot(visitors.length),
        )}
      ), visited as (
        update installations i
        set launched_at = greatest(i.launched_at, ${at}), launch_count = i.launch_count + 1, uninstalled_at = null
        from visits v where i.app_id = v.app_id and i.installation_no = v.installation_no
      ), sessions as (
        update installation_details d set has_session = not v.is_clean
        from visits v
        where d.app_id = v.app_id and d.installation_no = v.installation_no and d.has_session = v.is_clean
      )
      select position::int, installation_no, user_no, device_type, launched_at, uninstalled_at, user_id, subscriptions, event_topics,
        has_session, unacknowledged, before_id is not null as had_connection
      from visits`,
    'enter-visitors',
  )
}

export interface Visit {
  appId: number
  installationNo: number
  isClean: boolean
}

/** [choice 46] A new connection is a visit, and whoever visits is installed. */
export async function noteVisits(tx: Transaction, visits: readonly Visit[], at: Date): Promise<void> {
  const keys = sql`(
    select app_id, installation_no, count(*) as visits
    from unnest(${visits.map(({ appId }) => appId)}::int[], ${visits.map(({ installationNo }) => installationNo)}::bigint[])
      as v(app_id, installation_no)
    group by 1, 2) k`
  await tx.query(
    sql`update installations i
        set launched_at = greatest(i.launched_at, ${at}), launch_count = i.launch_count + k.visits, uninstalled_at = null
        from ${keys} where i.app_id = k.app_id and i.installation_no = k.installation_no`,
    'note-visits',
  )
  await tx.query(
    sql`update installation_details d set has_session = k.has_session
        from unnest(${visits.map(({ appId }) => appId)}::int[], ${visits.map(({ installationNo }) => installationNo)}::bigint[],
                    ${visits.map(({ isClean }) => !isClean)}::boolean[]) as k(app_id, installation_no, has_session)
        where d.app_id = k.app_id and d.installation_no = k.installation_no and d.has_session <> k.has_session`,
    'note-sessions',
  )
}

export interface ConnectionRow {
  appId: number
  installationNo: number
  holder: string
  connectionId: string
}

export interface ReplacedConnection {
  app_id: number
  installation_no: number
  holder: string
  connection_id: string
  /** Null: nobody knows what was sent over it. */
  unacknowledged: string[] | null
}

/** Answers what was there before. Each installation once; they are locked. */
export async function replaceConnections(
  tx: Transaction,
  rows: readonly ConnectionRow[],
): Promise<ReplacedConnection[]> {
  const replaced = await tx.query<ReplacedConnection>(
    sql`select c.app_id, c.installation_no, c.holder, c.connection_id, c.unacknowledged
        from unnest(${rows.map(({ appId }) => appId)}::int[], ${rows.map(({ installationNo }) => installationNo)}::bigint[])
          as k(app_id, installation_no)
        join connections c using (app_id, installation_no)`,
    'read-replaced-connections',
  )
  await tx.query(
    sql`insert into connections (app_id, installation_no, holder, connection_id)
        select app_id, installation_no, holder, connection_id
        from unnest(${rows.map(({ appId }) => appId)}::int[], ${rows.map(({ installationNo }) => installationNo)}::bigint[],
                    ${rows.map(({ holder }) => holder)}::uuid[], ${rows.map(({ connectionId }) => connectionId)}::uuid[])
          as c(app_id, installation_no, holder, connection_id)
        order by app_id, installation_no
        on conflict (app_id, installation_no) do update
        set holder = excluded.holder, connection_id = excluded.connection_id, is_open = true, connected_at = now(),
          unacknowledged = '{}'`,
    'replace-connections',
  )
  return replaced.map((row) => (row.holder === nobody ? row : { ...row, unacknowledged: null }))
}

export interface EndedConnection {
  appId: number
  installationNo: number
  connectionId: string
  unacknowledged: readonly string[]
}

/** Those that were replaced meanwhile are left alone. */
export async function endConnections(database: Database, ended: readonly EndedConnection[]): Promise<void> {
  await database.query(
    sql`
      with ended as materialized (
        select c.app_id, c.installation_no, k.unacknowledged
        from unnest(${ended.map(({ appId }) => appId)}::int[], ${ended.map(({ installationNo }) => installationNo)}::bigint[],
                    ${ended.map(({ connectionId }) => connectionId)}::uuid[],
                    ${ended.map(({ unacknowledged }) => `{${unacknowledged.join(',')}}`)}::text[])
          as k(app_id, installation_no, connection_id, unacknowledged)
        join connections c using (app_id, installation_no, connection_id)
        where c.holder <> ${nobody}
        order by c.app_id, c.installation_no for update of c
      ), gone as (
        delete from connections c using ended k
        where c.app_id = k.app_id and c.installation_no = k.installation_no and k.unacknowledged = '{}'
      )
      update connections c set holder = ${nobody}, unacknowledged = k.unacknowledged::uuid[]
      from ended k
      where c.app_id = k.app_id and c.installation_no = k.installation_no and k.unacknowledged <> '{}'`,
    'end-connections',
  )
}

export interface ForegroundChange {
  appId: number
  installationNo: number
  connectionId: string
  isOpen: boolean
}

export async function changeForegrounds(database: Database, changes: readonly ForegroundChange[]): Promise<void> {
  await database.query(
    sql`update connections c set is_open = k.is_open
        from unnest(${changes.map(({ appId }) => appId)}::int[], ${changes.map(({ installationNo }) => installationNo)}::bigint[],
                    ${changes.map(({ connectionId }) => connectionId)}::uuid[], ${changes.map(({ isOpen }) => isOpen)}::boolean[])
          as k(app_id, installation_no, connection_id, is_open)
        where c.app_id = k.app_id and c.installation_no = k.installation_no and c.connection_id = k.connection_id`,
    'change-foregrounds',
  )
}

/** Says that this process lives. Answers false when the others had given it up, and with it its connections. */
export async function renewHolder(database: Database, holder: string, aliveMs: number): Promise<boolean> {
  const [row] = await database.query<{ is_new: boolean }>(
    sql`insert into connection_holders (holder, alive_until) values (${holder}, now() + ${aliveMs} * interval '1 ms')
        on conflict (holder) do update set alive_until = excluded.alive_until
        returning xmax = 0 as is_new`,
    'renew-holder',
  )
  return row?.is_new === false
}

export interface LostConnection {
  appId: number
  installationNo: number
}

/**
 * What processes held that are no more: whose lock is free, or who has not said for long that they live. What was sent
 * over their connections nobody knows.
 */
export async function dropDeadHolders(tx: Transaction, holder: string): Promise<LostConnection[]> {
  const others = await tx.query<{ holder: string; is_late: boolean }>(
    sql`select holder, alive_until < now() as is_late from connection_holders where holder <> ${holder} order by holder for update skip locked`,
    'list-other-holders',
  )
  const lost: LostConnection[] = []
  for (const other of others) {
    const [lock] = other.is_late
      ? [{ is_free: true }]
      : await tx.query<{ is_free: boolean }>(
          sql`select pg_try_advisory_xact_lock(${lockOf(other.holder)}) as is_free`,
          'try-holder-lock',
        )
    if (!lock?.is_free) continue
    const rows = await tx.query<{ app_id: number; installation_no: number }>(sql`
      update connections set holder = ${nobody}, unacknowledged = null
      where (app_id, installation_no) in (
        select app_id, installation_no from connections where holder = ${other.holder}
        order by app_id, installation_no for update)
      returning app_id, installation_no`)
    lost.push(...rows.map((row) => ({ appId: row.app_id, installationNo: row.installation_no })))
    await tx.query(sql`delete from connection_holders where holder = ${other.holder}`)
  }
  return lost
}

/** The process ends: its connections do too. Those that left something unacknowledged have said so before. */
export async function dropHolder(tx: Transaction, holder: string): Promise<void> {
  await tx.query(sql`
    delete from connections where (app_id, installation_no) in (
      select app_id, installation_no from connections where holder = ${holder}
      order by app_id, installation_no for update)`)
  await tx.query(sql`delete from connection_holders where holder = ${holder}`)
}

export async function listHeldConnections(
  database: Database,
  holder: string,
): Promise<{ installation_no: number; connection_id: string }[]> {
  return database.query(
    sql`select installation_no, connection_id from connections where holder = ${holder}`,
    'list-held-connections',
  )
}

/** After the others had given this process up. Who has connected elsewhere since stays there. */
export async function restoreConnections(
  database: Database,
  holder: string,
  held: readonly ForegroundChange[],
): Promise<void> {
  await database.query(
    sql`insert into connections (app_id, installation_no, holder, connection_id, is_open)
        select app_id, installation_no, ${holder}, connection_id, is_open
        from unnest(${held.map(({ appId }) => appId)}::int[], ${held.map(({ installationNo }) => installationNo)}::bigint[],
                    ${held.map(({ connectionId }) => connectionId)}::uuid[], ${held.map(({ isOpen }) => isOpen)}::boolean[])
          as c(app_id, installation_no, connection_id, is_open)
        order by app_id, installation_no
        on conflict (app_id, installation_no) do update set holder = excluded.holder, unacknowledged = '{}'
        where connections.connection_id = excluded.connection_id`,
    'restore-connections',
  )
}

/** Ends the connection of an installation from outside. Answers its id, so that its line can be closed. */
export async function cutConnection(
  tx: Transaction,
  { appId, installationNo }: { appId: number; installationNo: number },
): Promise<string | undefined> {
  const [row] = await tx.query<{ connection_id: string }>(
    sql`update connections set holder = ${nobody}, unacknowledged = null
        where app_id = ${appId} and installation_no = ${installationNo} and holder <> ${nobody}
        returning connection_id`,
    'cut-connection',
  )
  return row?.connection_id
}

/** Connections that are over although nobody could say so: what was sent over them nobody knows. */
export async function abandonConnections(
  database: Database,
  holder: string,
  connectionIds: readonly string[],
): Promise<void> {
  await database.query(
    sql`update connections set holder = ${nobody}, unacknowledged = null
        where holder = ${holder} and connection_id = any (${[...connectionIds]}::uuid[])`,
    'abandon-connections',
  )
}
