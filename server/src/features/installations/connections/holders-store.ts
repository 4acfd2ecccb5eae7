import sql from 'sql-template-tag'
import { lockOf } from '#base/bus/bus.ts'
import type { Peer } from '#base/bus/peers.ts'
import type { Role } from '#base/config.ts'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isForgottenInstallation } from '../users/forgotten-users.ts'
import { type ForegroundChange, nobody } from './connections-store.ts'

/** Says that this process lives. Answers false when the others had given it up, and with it its connections. */
export async function renewHolder(
  database: Database,
  holder: string,
  { aliveMs, roles }: { aliveMs: number; roles?: readonly Role[] | undefined },
): Promise<boolean> {
  const [row] = await database.query<{ is_new: boolean }>(
    sql`insert into connection_holders (holder, alive_until, roles)
        values (${holder}, now() + ${aliveMs} * interval '1 ms', ${roles ?? null})
        on conflict (holder) do update set alive_until = excluded.alive_until
        returning xmax = 0 as is_new`,
    'renew-holder',
  )
  return row?.is_new === false
}

/** Of each process that lives; null where it has not said. */
export async function listHolderRoles(database: Database): Promise<(string[] | null)[]> {
  const rows = await database.query<{ roles: string[] | null }>(
    sql`select roles from connection_holders where alive_until > now()`,
    'list-holder-roles',
  )
  return rows.map((row) => row.roles)
}

/** Processes beside this one. */
export async function listOtherHolders(database: Database, holder: string): Promise<Peer[]> {
  const rows = await database.query<{ holder: string; roles: string[] | null }>(
    sql`select holder, roles from connection_holders where holder <> ${holder} and alive_until > now()`,
    'list-other-holders',
  )
  return rows.map((row) => ({ id: row.holder, roles: row.roles ?? [] }))
}

export interface LostConnection {
  appId: number
  installationNo: number
}

/** How many times `aliveMs` a process may be silent before it is given up although PostgreSQL knows its lock. */
const longestSilence = 4

/**
 * What processes held that are no more: that have not said for long that they live, and whose lock is free, too. Either
 * alone proves nothing: after the database was away everybody is late, and after it was restarted every lock is free
 * for a moment. A lock that nobody gives back (its machine is gone, and PostgreSQL has not noticed) counts no more
 * after some silence. `mayJudge` is asked when the database has answered. What was sent over their connections nobody
 * knows.
 */
export async function dropDeadHolders(
  tx: Transaction,
  { holder, aliveMs, mayJudge }: { holder: string; aliveMs: number; mayJudge: () => boolean },
): Promise<LostConnection[]> {
  const others = await tx.query<{ holder: string; is_silent: boolean }>(
    sql`select holder, alive_until < now() - ${(longestSilence - 1) * aliveMs} * interval '1 ms' as is_silent
        from connection_holders where holder <> ${holder} and alive_until < now() order by holder for update skip locked`,
    'list-late-holders',
  )
  const lost: LostConnection[] = []
  if (!mayJudge()) return lost
  for (const other of others) {
    const [lock] = other.is_silent
      ? [{ is_free: true }]
      : await tx.query<{ is_free: boolean }>(
          sql`select pg_try_advisory_xact_lock(${lockOf(other.holder)}) as is_free`,
          'try-holder-lock',
        )
    if (!lock?.is_free) continue
    const rows = await giveUpConnections(tx, other.holder)
    lost.push(...rows.map((row) => ({ appId: row.app_id, installationNo: row.installation_no })))
    await tx.query(sql`delete from connection_holders where holder = ${other.holder}`)
  }
  return lost
}

function giveUpConnections(tx: Transaction, holder: string): Promise<{ app_id: number; installation_no: number }[]> {
  return tx.query<{ app_id: number; installation_no: number }>(
    sql`update connections set holder = ${nobody}, unacknowledged = null, left_at = now()
        where (app_id, installation_no) in (
          select app_id, installation_no from connections where holder = ${holder}
          order by app_id, installation_no for update)
        returning app_id, installation_no`,
    'give-up-connections',
  )
}

/** The process ends: its connections do too. Those whose end was noted are not its own any more. */
export async function dropHolder(tx: Transaction, holder: string): Promise<void> {
  await giveUpConnections(tx, holder)
  await tx.query(sql`delete from connection_holders where holder = ${holder}`)
}

/** How long it is remembered that a client left: longer than a restart of the service takes. */
export const leftKeptMs = 3_600_000

/** Clients that left long ago, and owe nothing. */
export async function forgetLeft(database: Database): Promise<void> {
  await database.query(
    sql`delete from connections where (app_id, installation_no) in (
          select app_id, installation_no from connections
          where left_at < now() - ${leftKeptMs} * interval '1 ms' and holder = ${nobody} and unacknowledged = '{}'
          order by app_id, installation_no limit 1000 for update skip locked)`,
    'forget-left',
  )
}

/** The ids of its connections. */
export async function listHeldConnections(database: Database, holder: string): Promise<string[]> {
  const rows = await database.query<{ connection_id: string }>(
    sql`select connection_id from connections where holder = ${holder}`,
    'list-held-connections',
  )
  return rows.map((row) => row.connection_id)
}

/** Which of these connections it has. Undefined when it has been given up since it said that it lives. */
export async function findCurrentConnections(
  database: Database,
  holder: string,
  held: readonly ForegroundChange[],
): Promise<string[] | undefined> {
  const [row] = await database.query<{ connection_ids: string[] }>(
    sql`select array (
          select k.connection_id from ${unnestRows(held, 'k', {
            app_id: ['int', ({ appId }) => appId],
            installation_no: ['bigint', ({ installationNo }) => installationNo],
            connection_id: ['uuid', ({ connectionId }) => connectionId],
          })}
          cross join lateral (
            select holder, connection_id from connections
            where app_id = k.app_id and installation_no = k.installation_no offset 0
          ) c
          where c.holder = ${holder} and c.connection_id = k.connection_id) as connection_ids
        from connection_holders where holder = ${holder}`,
    'find-current-connections',
  )
  return row?.connection_ids
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
        from ${unnestRows(held, 'c', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
          connection_id: ['uuid', ({ connectionId }) => connectionId],
          is_open: ['boolean', ({ isOpen }) => isOpen],
        })}
        where not ${isForgottenInstallation(sql`c.app_id`, sql`c.installation_no`)}
        order by app_id, installation_no
        on conflict (app_id, installation_no) do update set holder = excluded.holder, unacknowledged = '{}', left_at = null
        where connections.connection_id = excluded.connection_id`,
    'restore-connections',
  )
}

/** Connections that are over although nobody could say so: what was sent over them nobody knows. */
export async function abandonConnections(
  database: Database,
  holder: string,
  connectionIds: readonly string[],
): Promise<void> {
  await database.query(
    sql`update connections set holder = ${nobody}, unacknowledged = null, left_at = now()
        where holder = ${holder} and connection_id = any (${[...connectionIds]}::uuid[])`,
    'abandon-connections',
  )
}
