import sql from 'sql-template-tag'
import type { Logger } from '#base/log.ts'
import type { Store } from '#base/store/store.ts'

const DAY = 86_400_000
const rowsPerTurn = 5_000

/** Brings the counts of days that are over into one slot, so that few rows are kept of each. */
export async function compactEventDays(job: {
  store: Store
  now(): Date
  log: Logger
  signal?: AbortSignal
}): Promise<void> {
  const { store, signal } = job
  const before = new Date(Number(job.now()) - DAY).toISOString().slice(0, 10)
  while (!signal?.aborted) {
    const [row] = await store.query<{ count: number }>(sql`
      with old as (
        select app_id, name, day, currency, slot from event_days where slot > 0 and day < ${before}::date
        order by app_id, name, day, currency, slot limit ${rowsPerTurn} for update
      ), taken as (
        delete from event_days d using old
        where d.app_id = old.app_id and d.name = old.name and d.day = old.day and d.currency = old.currency and d.slot = old.slot
        returning d.app_id, d.name, d.day, d.currency, d.count, d.forgotten, d.revenue
      ), compacted as (
        insert into event_days as d (app_id, name, day, currency, slot, count, forgotten, revenue)
        select app_id, name, day, currency, 0, sum(count), sum(forgotten), sum(revenue)
        from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (app_id, name, day, currency, slot) do update
        set count = d.count + excluded.count, forgotten = d.forgotten + excluded.forgotten, revenue = d.revenue + excluded.revenue
      )
      select count(*) as count from taken`)
    if ((row?.count ?? 0) < rowsPerTurn) return
    job.log.debug({ rows: row?.count }, 'counts of days were compacted')
  }
}
