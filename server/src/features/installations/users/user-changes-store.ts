import sql, { type Sql } from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** An installation that passes from a registered user to somebody else. */
export interface UserChange {
  appId: number
  installationNo: number
  fromUserNo: number
}

/**
 * Numbers the changes and stamps their installations, which are locked. Changes of one app in one transaction share a
 * number. The app's row stays locked until the commit, so that a visible number is always committed.
 */
export async function recordUserChanges(tx: Transaction, changes: readonly UserChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.query(
    sql`with k as materialized (
          select * from ${unnestRows(changes, 'k', {
            app_id: ['int', ({ appId }) => appId],
            installation_no: ['bigint', ({ installationNo }) => installationNo],
            from_user_no: ['bigint', ({ fromUserNo }) => fromUserNo],
          })}
        ), numbered as (
          insert into app_user_changes as a (app_id, newest)
          select distinct app_id, 1 from k order by app_id
          on conflict (app_id) do update set newest = a.newest + 1
          returning app_id, newest
        ), stamped as (
          update installations i set user_change = n.newest, guest_user_no = null
          from k join numbered n using (app_id)
          where i.app_id = k.app_id and i.installation_no = k.installation_no
        )
        insert into installation_user_changes (app_id, installation_no, number, from_user_no, guest_user_no, due_at)
        select k.app_id, k.installation_no, n.newest, k.from_user_no, i.guest_user_no, peyk_now()
        from k join numbered n using (app_id) join installations i using (app_id, installation_no)`,
    'record-user-changes',
  )
}

/** Records the guests who became the registered users of these installations, which are locked. */
export async function recordGuestLogins(
  tx: Transaction,
  logins: readonly { appId: number; installationNo: number; guestUserNo: number }[],
): Promise<void> {
  if (logins.length === 0) return
  await tx.query(
    sql`update installations i set guest_user_no = k.guest_user_no
        from ${unnestRows(logins, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          guest_user_no: ['bigint', ({ guestUserNo }) => guestUserNo],
        })}
        where i.app_id = k.app_id and i.installation_no = k.installation_no`,
    'record-guest-logins',
  )
}

export function newestUserChange(appId: number): Sql {
  return sql`coalesce((select newest from app_user_changes where app_id = ${appId}), 0)`
}

/**
 * Returns the number of the app's newest change. A message that stores it before looking up its recipients is older
 * than every change that the lookup may have missed.
 */
export async function readNewestUserChange(database: Database, appId: number): Promise<number> {
  const [row] = await database.query<{ newest: number }>(
    sql`select ${newestUserChange(appId)} as newest`,
    'read-newest-user-change',
  )
  return row?.newest ?? 0
}

/** A change whose installation may still have messages of the previous user in its inbox. */
export interface DueUserChange {
  app_id: number
  installation_no: number
  number: number
}

/** Locks them, so that two processes take different ones. */
export function takeDueUserChanges(tx: Transaction, limit: number): Promise<DueUserChange[]> {
  return tx.query<DueUserChange>(
    sql`select app_id, installation_no, number from installation_user_changes
        where due_at <= peyk_now() order by due_at limit ${limit} for update skip locked`,
    'take-due-user-changes',
  )
}

/**
 * Marks changes as handled. A process that read its recipients before a change may still put a message into the inbox
 * after it, so the inbox is checked once more after a minute.
 */
export async function settleDueUserChanges(tx: Transaction, changes: readonly DueUserChange[]): Promise<void> {
  await tx.query(
    sql`update installation_user_changes c
        set due_at = case when c.due_at < c.changed_at + interval '1 minute' then c.changed_at + interval '1 minute' end
        from ${unnestRows(changes, 'k', {
          app_id: ['int', ({ app_id }) => app_id],
          installation_no: ['bigint', ({ installation_no }) => installation_no],
          number: ['bigint', ({ number }) => number],
        })}
        where c.app_id = k.app_id and c.installation_no = k.installation_no and c.number = k.number`,
    'settle-due-user-changes',
  )
}

/** Deletes changes older than `before` that need no more work. */
export async function deleteUserChanges(
  database: Database,
  apps: readonly { appId: number; before: Date }[],
): Promise<void> {
  await database.query(
    sql`delete from installation_user_changes c
        using ${unnestRows(apps, 'k', {
          app_id: ['int', ({ appId }) => appId],
          before: ['timestamptz', ({ before }) => before.toISOString()],
        })}
        where c.app_id = k.app_id and c.due_at is null and c.changed_at < k.before`,
    'delete-user-changes',
  )
}
