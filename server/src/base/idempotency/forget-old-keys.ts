import sql from 'sql-template-tag'
import { limits } from '../config.ts'
import type { Store } from '../store/store.ts'

const keysPerChunk = 5_000

/** [requests.md#idempotency] A key is honoured for 30 days. */
export async function forgetOldKeys(job: { store: Store; now(): Date; signal?: AbortSignal }): Promise<void> {
  const before = new Date(Number(job.now()) - limits.idempotencyDays * 86_400_000)
  // Claims that a crash left behind expire after a minute; old ones only take room.
  await job.store.query(sql`delete from idempotency_claims where claimed_at < ${before}`)
  while (!job.signal?.aborted) {
    const gone = await job.store.query(sql`
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys where created_at < ${before} order by created_at limit ${keysPerChunk}))
      returning 1`)
    if (gone.length < keysPerChunk) return
  }
}
