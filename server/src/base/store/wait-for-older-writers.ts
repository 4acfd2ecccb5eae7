import { setTimeout as delay } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import { RequestError } from '../errors.ts'
import type { Database, Store, Transaction } from './store.ts'

/** An advisory lock of transactions that only read, however long: nobody waits for these. */
const readersLock = [7394015, 0] as const
/** Tables that say nothing of a user. A file of codes may be on its way into them for minutes. */
const ofNobody = ['apps', 'promo_sets', 'promo_codes']
const firstLookMs = 10
const longestLookMs = 500
/** A statement may take a minute, and a transaction may wait as long for its next one. */
const defaultPatienceMs = 120_000

/**
 * Returns when every transaction of the service has ended that may not have seen what is committed now. Such a one holds
 * a lock on a table: PostgreSQL locks tables before it looks at the clock of what is committed. One that holds none yet
 * will see it.
 */
export async function waitForOlderWriters(store: Store, patienceMs = defaultPatienceMs): Promise<void> {
  const endsAt = performance.now() + patienceMs
  let older = await listWriters(store)
  for (let waitMs = firstLookMs; older.size > 0; waitMs = Math.min(waitMs * 2, longestLookMs)) {
    if (performance.now() > endsAt) {
      throw new RequestError('store-busy', 'Other work on the database takes very long. Try again in a minute.')
    }
    await delay(waitMs)
    const now = await listWriters(store)
    older = new Set([...older].filter((writer) => now.has(writer)))
  }
}

/** For a transaction that takes long and writes nothing. */
export async function promiseToRead(tx: Transaction): Promise<void> {
  await tx.query(sql`set transaction read only`)
  await tx.query(sql`select pg_advisory_xact_lock_shared(${readersLock[0]}, ${readersLock[1]})`)
}

/** Whether the transaction of this process of PostgreSQL writes nothing. */
export function hasPromisedToRead(pid: Sql): Sql {
  return sql`exists (
    select from pg_locks r
    where r.pid = ${pid} and r.locktype = 'advisory' and r.classid = ${readersLock[0]} and r.objid = ${readersLock[1]} and r.objsubid = 2)`
}

async function listWriters(database: Database): Promise<Set<string>> {
  const rows = await database.query<{ writer: string }>(
    sql`select distinct l.virtualtransaction as writer
        from pg_locks l
        join pg_class c on c.oid = l.relation
        join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'relation' and l.database = (select oid from pg_database where datname = current_database())
          and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
          and c.relname <> all(${[...ofNobody]})
          and a.application_name = current_setting('application_name') and l.pid <> pg_backend_pid()
          and not ${hasPromisedToRead(sql`l.pid`)}`,
    'list-writers',
  )
  return new Set(rows.map((row) => row.writer))
}
