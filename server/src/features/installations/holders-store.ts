import sql from 'sql-template-tag'
import { lockOf } from '../../base/bus.ts'
import type { Database, Transaction } from '../../base/store/store.ts'
import { type ForegroundChange, nobody } from './connections-store.ts'

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

/** Processes that hold connections beside this one. */
export async function countOtherHolders(database: Database, holder: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from connection_holders where holder <> ${holder} and alive_until > now()`,
    'count-other-holders',
  )
  return row?.count ?? 0
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
