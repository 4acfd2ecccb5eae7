import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** Sends from the panel to more installations wait for another member; undefined when none does. */
export async function getApprovalAbove(database: Database, appId: number): Promise<number | undefined> {
  const [row] = await database.query<{ above: number | null }>(
    sql`select (settings->>'approvalAbove')::int as above from apps where app_id = ${appId}`,
  )
  return row?.above ?? undefined
}
