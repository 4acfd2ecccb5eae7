import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface PastUse {
  at: Date
  kind: 'messages' | 'deliveries' | 'events' | 'installations'
  count: number
}

/** Adds usage of earlier days, each to its own day. */
export async function recordPastUsage(ctx: Context, uses: readonly PastUse[]): Promise<void> {
  const days = new Map<string, Record<PastUse['kind'], number>>()
  for (const { at, kind, count } of uses) {
    const day = at.toISOString().slice(0, 10)
    const counts = days.get(day) ?? { messages: 0, deliveries: 0, events: 0, installations: 0 }
    counts[kind] += count
    days.set(day, counts)
  }
  const rows = [...days].map(([day, counts]) => ({ day, ...counts })).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  await db(ctx).query(
    sql`insert into usage_days as u (app_id, day, messages, deliveries, events, new_installations)
        select ${ctx.app.id}, k.day, k.messages, k.deliveries, k.events, k.installations
        from ${unnestRows(rows, 'k', {
          day: ['date', (row) => row.day],
          messages: ['bigint', (row) => row.messages],
          deliveries: ['bigint', (row) => row.deliveries],
          events: ['bigint', (row) => row.events],
          installations: ['bigint', (row) => row.installations],
        })}
        on conflict (app_id, day) do update set
          messages = u.messages + excluded.messages, deliveries = u.deliveries + excluded.deliveries,
          events = u.events + excluded.events, new_installations = u.new_installations + excluded.new_installations`,
  )
}
