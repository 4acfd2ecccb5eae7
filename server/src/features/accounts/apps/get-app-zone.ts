import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** The zone of users of whom none is known; UTC unless it was set. */
export async function getAppZone(database: Database, appId: number): Promise<string> {
  const [row] = await database.query<{ zone: string | null }>(sql`
    select settings->>'zone' as zone from apps where app_id = ${appId}`)
  return row?.zone ?? 'UTC'
}
