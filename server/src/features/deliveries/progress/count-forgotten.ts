import sql from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'

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
        from unnest(
          ${some.map(({ appId }) => appId)}::int[], ${some.map(({ messageId }) => messageId)}::uuid[],
          ${some.map(({ reason }) => reason)}::text[], ${some.map(({ count }) => count)}::bigint[],
          ${some.map(({ at }) => at.toISOString())}::timestamptz[]
        ) as e(app_id, message_id, reason, count, at)
        order by app_id, message_id, reason collate "C"
        on conflict (app_id, message_id, slot, state, reason) do update
        set count = c.count + excluded.count, forgotten = c.forgotten + excluded.forgotten,
          last_at = greatest(c.last_at, excluded.last_at)`,
    'count-forgotten',
  )
}
