import sql from 'sql-template-tag'
import type { Database } from '../store.ts'

/** What time it is at this moment, however long ago the transaction began. */
export const presentTime = sql`(clock_timestamp() + (peyk_now() - now()))`

/** The same, read. */
export async function readTime(database: Database): Promise<Date> {
  const [row] = await database.query<{ at: Date }>(sql`select ${presentTime} as at`, 'read-time')
  return row?.at as Date
}
