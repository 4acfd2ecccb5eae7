import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'
import { unnestRows } from '../../../base/store/unnest-rows.ts'

interface BatchKey {
  appId: number
  batchNo: number
}

/** Whose a batch is, and for how long without a sign of life. */
export interface Lease {
  holder: string
  ms: number
}

export function endOf({ ms }: Lease): Sql {
  return sql`peyk_now() + ${ms} * interval '1 millisecond'`
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
