import sql from 'sql-template-tag'
import { counterSlot } from '#base/counter-slot.ts'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { addActivityDays } from '../record-activity.ts'
import { nobody } from './connections-store.ts'

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
              from ${unnestRows(visitors, 'v', {
                app_id: ['int', ({ appId }) => appId],
                id: ['uuid', ({ installationId }) => installationId],
              })}) k
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
        select * from ${unnestRows(
          visitors,
          'v',
          {
            app_id: ['int', ({ appId }) => appId],
            id: ['uuid', ({ installationId }) => installationId],
            user_id: ['text', ({ userId }) => userId],
            holder: ['uuid', ({ holder }) => holder],
            connection_id: ['uuid', ({ connectionId }) => connectionId],
            is_clean: ['boolean', ({ isClean }) => isClean],
          },
          { position: 'position' },
        )}
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
        set holder = excluded.holder, connection_id = excluded.connection_id, is_open = true, connected_at = peyk_now(),
          unacknowledged = '{}', left_at = null
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
          counterSlot(visitors.length),
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

/** [users-and-events.md#installations-and-users] A new connection is a visit, and whoever visits is installed. */
export async function recordVisits(tx: Transaction, visits: readonly Visit[], at: Date): Promise<void> {
  const keys = sql`(
    select app_id, installation_no, count(*) as visits
    from ${unnestRows(visits, 'v', {
      app_id: ['int', ({ appId }) => appId],
      installation_no: ['bigint', ({ installationNo }) => installationNo],
    })}
    group by 1, 2) k`
  await tx.query(
    sql`update installations i
        set launched_at = greatest(i.launched_at, ${at}), launch_count = i.launch_count + k.visits, uninstalled_at = null
        from ${keys} where i.app_id = k.app_id and i.installation_no = k.installation_no`,
    'record-visits',
  )
  await tx.query(
    sql`update installation_details d set has_session = k.has_session
        from ${unnestRows(visits, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          has_session: ['boolean', ({ isClean }) => !isClean],
        })}
        where d.app_id = k.app_id and d.installation_no = k.installation_no and d.has_session <> k.has_session`,
    'record-sessions',
  )
}
