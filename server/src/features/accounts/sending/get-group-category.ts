import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** The category of sends to groups that name none; undefined when they are transactional. */
export async function getGroupCategory(database: Database, appId: number): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(
    sql`select c.id from apps a join categories c on c.app_id = a.app_id and c.id = a.settings->>'groupCategory'
        where a.app_id = ${appId}`,
    'get-group-category',
  )
  return row?.id
}
