import sql from 'sql-template-tag'
import type { Store } from './store.ts'

/** How many connections to this database other processes of ours have. The store asked must have one connection. */
export async function countOtherSessions(store: Store): Promise<number> {
  const [row] = await store.query<{ sessions: number }>(sql`
    select count(*) as sessions from pg_stat_activity
    where datname = current_database() and application_name = 'peyk' and pid <> pg_backend_pid()`)
  return row?.sessions ?? 0
}
