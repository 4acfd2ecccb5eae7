import sql from 'sql-template-tag'
import type { Database } from './store.ts'

/** What time it is for the database. */
export async function readTime(database: Database): Promise<Date> {
  const [row] = await database.query<{ at: Date }>(sql`select clock_timestamp() as at`, 'read-time')
  return row?.at as Date
}
