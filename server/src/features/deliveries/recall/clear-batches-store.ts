import sql from 'sql-template-tag'
import { endOf, type Lease } from '#base/lease.ts'
import type { Database, Store } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'
import type { ClearRow } from './clear-batch.ts'
import { noteCleared } from './recall-store.ts'
import { takesSilentPush } from './silent-push.ts'

interface Row {
  app_id: number
  label: string
  batch_no: number
  message_id: string
  stream: string
  attempts: number
  installation_nos: string[]
  expires_at: Date
}

/** Those that are due, of streams whose sender has room. */
export async function takeClearBatches(
  database: Database,
  { lease, blocked, limit }: { lease: Lease; blocked: readonly string[]; limit: number },
): Promise<ClearRow[]> {
  const rows = await database.query<Row>(
    sql`update recall_batches b
        set lease_holder = ${lease.holder}, available_at = ${endOf(lease)}, attempts = b.attempts + 1
        from (
          select app_id, batch_no from recall_batches
          where available_at <= peyk_now() and app_id || '/' || stream <> all (${blocked}::text[]) and app_id <> all (${stoppedApps})
          order by available_at limit ${limit} for update skip locked
        ) due, apps a
        where b.app_id = due.app_id and b.batch_no = due.batch_no and a.app_id = b.app_id
        returning b.app_id, a.label, b.batch_no, b.message_id, b.stream, b.attempts, b.installation_nos, b.expires_at`,
    'take-clear-batches',
  )
  return rows.map((row) => ({
    appId: row.app_id,
    appLabel: row.label,
    batchNo: row.batch_no,
    messageId: row.message_id,
    stream: row.stream,
    attempts: row.attempts,
    installationNos: row.installation_nos.map(Number),
    expiresAt: row.expires_at,
  }))
}

export interface ClearedDevice {
  batch: number
  installation_no: number
  device_type: string
  device_token: string
  token_changed_at: Date | null
}

/** The devices of each batch that are still to be told, and can be. */
export async function readClearedDevices(database: Database, batches: readonly ClearRow[]): Promise<ClearedDevice[][]> {
  const rows = await database.query<ClearedDevice>(
    sql`select b.position::int as batch, i.installation_no, i.device_type, d.device_token, d.token_changed_at
        from ${unnestRows(
          batches,
          'b',
          {
            app_id: ['int', ({ appId }) => appId],
            message_id: ['uuid', ({ messageId }) => messageId],
            numbers: ['text', ({ installationNos }) => `{${installationNos.join(',')}}`],
          },
          { position: 'position' },
        )}
        cross join lateral unnest(b.numbers::bigint[]) as l(installation_no)
        join deliveries w on w.app_id = b.app_id and w.message_id = b.message_id and w.installation_no = l.installation_no
        join installations i on i.app_id = b.app_id and i.installation_no = l.installation_no
        join installation_details d on d.app_id = b.app_id and d.installation_no = l.installation_no
        where w.in_inbox and ${takesSilentPush}`,
    'read-cleared-devices',
  )
  const devices = batches.map((): ClearedDevice[] => [])
  for (const row of rows) devices[row.batch - 1]?.push(row)
  return devices
}

export interface ClearResult {
  row: ClearRow
  told: readonly number[]
  /** By installation number, in how many milliseconds. */
  again: ReadonlyMap<number, number>
}

const roundingMs = 1_000

/** Stores what became of a batch, which is gone then. One that is not ours any more is left to whoever has it. */
export async function settleClearBatch(store: Store, lease: Lease, { row, told, again }: ClearResult): Promise<void> {
  const { appId, batchNo, messageId, stream, attempts, expiresAt } = row
  await store.transaction(async (tx) => {
    const ours = await tx.query(sql`
      delete from recall_batches where app_id = ${appId} and batch_no = ${batchNo} and lease_holder = ${lease.holder} returning 1`)
    if (ours.length === 0) return
    const later = [...Map.groupBy(again, ([, afterMs]) => Math.ceil(afterMs / roundingMs) * roundingMs)]
    if (later.length > 0) {
      await tx.query(sql`
        insert into recall_batches (app_id, message_id, stream, attempts, installation_nos, expires_at, available_at)
        select ${appId}, ${messageId}, ${stream}, ${attempts}, numbers::bigint[], ${expiresAt}, peyk_now() + after_ms * interval '1 millisecond'
        from ${unnestRows(later, 'b', {
          numbers: ['text', ([, devices]) => `{${devices.map(([installationNo]) => installationNo).join(',')}}`],
          after_ms: ['bigint', ([afterMs]) => afterMs],
        })}
        where peyk_now() + after_ms * interval '1 millisecond' < ${expiresAt}`)
    }
    if (told.length > 0) await noteCleared(tx, { appId, messageId, installationNos: told })
  })
}
