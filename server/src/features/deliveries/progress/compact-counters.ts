import sql from 'sql-template-tag'
import type { Logger } from '#base/log.ts'
import type { Store } from '#base/store/store.ts'

const MINUTE = 60_000
const quietMs = 30 * MINUTE
const messagesPerTurn = 500

/** Brings the counters of messages that nothing happens to any more into one slot, so that few rows are kept of each. */
export async function compactCounters(job: {
  store: Store
  now(): Date
  log: Logger
  signal?: AbortSignal
}): Promise<void> {
  const { store, signal } = job
  const quietSince = new Date(job.now().getTime() - quietMs).toISOString()
  while (!signal?.aborted) {
    const quiet = await store.query<{ app_id: number; message_id: string }>(sql`
      select app_id, message_id from delivery_counters where slot > 0
      group by app_id, message_id having max(last_at) < ${quietSince}::timestamptz
      order by app_id, message_id limit ${messagesPerTurn}`)
    for (const { app_id, message_id } of quiet) if (!signal?.aborted) await compact(store, app_id, message_id)
    if (quiet.length < messagesPerTurn) return
    job.log.debug({ messages: quiet.length }, 'counters of deliveries were compacted')
  }
}

/** The rows are locked in their order, as those who count do. */
async function compact(store: Store, appId: number, messageId: string): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`
      select from delivery_counters where app_id = ${appId} and message_id = ${messageId}
      order by slot, state, reason for update`)
    await tx.query(sql`
      with taken as (
        delete from delivery_counters where app_id = ${appId} and message_id = ${messageId} and slot > 0
        returning state, reason, count, forgotten, first_at, last_at
      )
      insert into delivery_counters as c (app_id, message_id, slot, state, reason, count, forgotten, first_at, last_at)
      select ${appId}, ${messageId}, 0, state, reason, sum(count), sum(forgotten), min(first_at), max(last_at)
      from taken group by state, reason order by state collate "C", reason collate "C"
      on conflict (app_id, message_id, slot, state, reason) do update
      set count = c.count + excluded.count, forgotten = c.forgotten + excluded.forgotten,
        first_at = least(c.first_at, excluded.first_at), last_at = greatest(c.last_at, excluded.last_at)`)
  })
}
