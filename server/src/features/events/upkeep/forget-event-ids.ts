import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

/** Longer than any device keeps a batch that it could not send. */
const keepDays = 60
const idsPerChunk = 5_000

/** The ids that clients gave their events are remembered for a while only. */
export async function forgetEventIds(job: { store: Store; now(): Date; signal?: AbortSignal }): Promise<void> {
  const before = new Date(Number(job.now()) - keepDays * 86_400_000)
  while (!job.signal?.aborted) {
    const gone = await job.store.query(sql`
      delete from event_ids where ctid = any(array(
        select ctid from event_ids where received_at < ${before} order by received_at limit ${idsPerChunk}))
      returning 1`)
    if (gone.length < idsPerChunk) return
  }
}
