import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

export async function countImages(database: Database, appId: number): Promise<{ count: number; bytes: number }> {
  const [row] = await database.query<{ count: number; bytes: number }>(
    sql`select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from images where app_id = ${appId}`,
  )
  return row as { count: number; bytes: number }
}
