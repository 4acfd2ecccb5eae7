import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { SendItem } from './send-item.ts'

/**
 * Returns pushes whose installation has had another user or token since they were prepared. `offset 0` keeps PostgreSQL
 * to two index lookups per push, whatever it believes about the tables.
 */
export async function findChanged(database: Database, items: readonly SendItem[]): Promise<ReadonlySet<SendItem>> {
  const owned = items.filter(({ owner }) => owner !== undefined)
  if (owned.length === 0) return new Set()
  const rows = await database.query<{ position: number }>(
    sql`select k.position::int as position
        from ${unnestRows(
          owned,
          'k',
          {
            app_id: ['int', ({ batch }) => batch.row.appId],
            installation_no: ['bigint', ({ installationNo }) => installationNo],
            user_no: ['bigint', ({ owner }) => owner?.userNo],
            token: ['text', ({ token }) => token],
          },
          { position: 'position' },
        )}
        where not exists (
            select from installations i
            where i.app_id = k.app_id and i.installation_no = k.installation_no and i.user_no = k.user_no offset 0)
          or not exists (
            select from installation_details d
            where d.app_id = k.app_id and d.installation_no = k.installation_no and d.device_token = k.token offset 0)`,
    'find-changed-installations',
  )
  return new Set(rows.map(({ position }) => owned[position - 1] as SendItem))
}
