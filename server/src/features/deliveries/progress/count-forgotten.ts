import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** Recipients of a message whose installations are not there any more: they get no row, only a count. */
export interface ForgottenEnd {
  appId: number
  messageId: string
  reason: 'gone' | 'cancelled'
  count: number
  at: Date
}

/** Notes how deliveries without a row ended, so that the ends of a message add up to its recipients. */
export async function countForgotten(database: Database, ends: readonly ForgottenEnd[]): Promise<void> {
  const some = ends.filter(({ count }) => count > 0)
  if (some.length === 0) return
  await database.query(
    sql`insert into delivery_counters as c (app_id, message_id, slot, state, reason, count, forgotten, first_at, last_at)
        select app_id, message_id, 0, 'ended', reason, count, count, at, at
        from ${unnestRows(some, 'e', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          reason: ['text', ({ reason }) => reason],
          count: ['bigint', ({ count }) => count],
          at: ['timestamptz', ({ at }) => at.toISOString()],
        })}
        order by app_id, message_id, reason collate "C"
        on conflict (app_id, message_id, slot, state, reason) do update
        set count = c.count + excluded.count, forgotten = c.forgotten + excluded.forgotten,
          last_at = greatest(c.last_at, excluded.last_at)`,
    'count-forgotten',
  )
}
