import sql from 'sql-template-tag'
import { endOf, type Lease } from '#base/lease.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

interface BatchKey {
  appId: number
  batchNo: number
}

/** Answers which are still ours, as `app/batch`. */
export async function renewLeases(
  database: Database,
  lease: Lease,
  batches: readonly BatchKey[],
): Promise<Set<string>> {
  const rows = await database.query<{ key: string }>(
    sql`
      update delivery_batches b set available_at = ${endOf(lease)}
      from ${unnestRows(batches, 'k', {
        app_id: ['int', (batch) => batch.appId],
        batch_no: ['bigint', (batch) => batch.batchNo],
      })}
      where b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = ${lease.holder}
      returning b.app_id || '/' || b.batch_no as key`,
    'renew-leases',
  )
  return new Set(rows.map((row) => row.key))
}

/** Batches of a message that is not there any more. */
export async function dropOrphans(database: Database, { holder }: Lease, batches: readonly BatchKey[]): Promise<void> {
  await database.query(sql`
    delete from delivery_batches b
    using ${unnestRows(batches, 'k', {
      app_id: ['int', ({ appId }) => appId],
      batch_no: ['bigint', ({ batchNo }) => batchNo],
    })}
    where b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = ${holder}`)
}

/** Of batches that nobody has looked at yet: whoever looks for work finds them. */
export async function giveUpLeases(database: Database, { holder }: Lease, batchNos: readonly number[]): Promise<void> {
  await database.query(sql`
    update delivery_batches set lease_holder = null, available_at = peyk_now(), attempts = attempts - 1
    where lease_holder = ${holder} and batch_no = any(${batchNos}::bigint[])`)
}
