import sql from 'sql-template-tag'
import type { Database } from './store.ts'

/** Throws when the store does not answer. */
export async function ping(store: Database): Promise<void> {
  await store.query(sql`select 1`)
}
