import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { Tally } from './usage-tally.ts'

/** Adds to today what was used since it was last written. The installations of the last count are those plus the new ones. */
export async function writeUsage(database: Database, tally: Tally): Promise<void> {
  const rows = [...tally].map(([appId, counts]) => ({ appId, ...counts })).toSorted((a, b) => a.appId - b.appId)
  await database.query(
    sql`insert into usage_days as u (app_id, day, messages, deliveries, events, new_installations)
        select k.app_id, peyk_now()::date, k.messages, k.deliveries, k.events, k.installations
        from ${unnestRows(rows, 'k', {
          app_id: ['int', (row) => row.appId],
          messages: ['bigint', (row) => row.messages],
          deliveries: ['bigint', (row) => row.deliveries],
          events: ['bigint', (row) => row.events],
          installations: ['bigint', (row) => row.installations],
        })}
        where exists (select from apps a where a.app_id = k.app_id)
        order by k.app_id
        on conflict (app_id, day) do update set
          messages = u.messages + excluded.messages,
          deliveries = u.deliveries + excluded.deliveries,
          events = u.events + excluded.events,
          new_installations = u.new_installations + excluded.new_installations,
          installations = u.installations + excluded.new_installations`,
    'write-usage',
  )
}
