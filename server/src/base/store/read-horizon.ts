import sql from 'sql-template-tag'
import type { Database } from './store.ts'
import { hasPromisedToRead } from './wait-for-older-writers.ts'

/**
 * The moment, in microseconds, up to which all rows are there that will ever have a time before it: everything that began
 * to be written before it has been committed or undone. `lagMs` is how long after its time a row begins to be written at
 * most. Who reads in the order of time stops here: what lies behind may still get company.
 */
export async function readHorizon(database: Database, lagMs: number): Promise<number> {
  const [row] = await database.query<{ horizon: number }>(
    sql`select (extract(epoch from peyk_now() - (now() - least(now(), min(a.xact_start))) - ${lagMs} * interval '1 ms') * 1000000)::bigint as horizon
        from pg_stat_activity a
        where a.datname = current_database() and a.application_name = current_setting('application_name')
          and a.pid <> pg_backend_pid() and a.xact_start is not null and not ${hasPromisedToRead(sql`a.pid`)}`,
    'read-horizon',
  )
  return (row as { horizon: number }).horizon
}
