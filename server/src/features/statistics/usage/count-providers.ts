import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { firstIdAt } from '#base/ids.ts'
import { recordProviders } from '../../accounts/quotas/counts-store.ts'
import { dayAt } from '../days/list-days.ts'

type Job = Pick<Context, 'store' | 'now'> & { signal?: AbortSignal }

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** What was accepted at the end of a day is given so long to be sent. */
const settleMs = 6 * HOUR
/** So many days back are looked at: when the service was away, they are counted later. */
const daysBack = 7

/** Counts the deliveries of the days that are over by provider, from their rows, an hour of messages at a time. */
export async function countProviders({ store, now, signal }: Job): Promise<void> {
  const last = Math.floor((now().getTime() - settleMs) / DAY) * DAY - DAY
  const days = Array.from({ length: daysBack }, (_, index) => last - index * DAY).toReversed()
  for (const { app_id, day } of await listUncounted(store, days.map(dayAt))) {
    if (signal?.aborted) return
    const counts = await countDay(store, app_id, Date.parse(day))
    await recordProviders(store, { appId: app_id, day, counts })
  }
}

/** Days on which something was accepted, and of which nothing was counted yet. */
async function listUncounted(store: Job['store'], days: readonly string[]) {
  return store.query<{ app_id: number; day: string }>(
    sql`select d.app_id, d.day::text from usage_days d
        where d.day = any(${days}::date[]) and d.deliveries > 0
          and not exists (select from usage_providers p where p.app_id = d.app_id and p.day = d.day)
        order by d.app_id, d.day`,
    'list-uncounted-days',
  )
}

async function countDay(store: Job['store'], appId: number, from: number): Promise<Map<string, number>> {
  // Of a day on which nothing was sent the zero says that it was counted.
  const counts = new Map([['', 0]])
  for (let hour = from; hour < from + DAY; hour += HOUR) {
    const rows = await store.query<{ provider: string; count: number }>(
      sql`select provider, count(*) from deliveries
          where app_id = ${appId} and message_id >= ${firstIdAt(hour)} and message_id < ${firstIdAt(hour + HOUR)}
            and provider is not null and sent_at is not null
          group by provider`,
      'count-deliveries-of-hour',
    )
    for (const { provider, count } of rows) counts.set(provider, (counts.get(provider) ?? 0) + count)
  }
  return counts
}
