import sql from 'sql-template-tag'
import type { Store, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { leaveInOutbox, mayInterest } from '../../outbox/outbox.ts'
import { describeDetail } from '../details/detail.ts'
import { decidedFor } from '../other-user/decided-for.ts'
import type { Settlement } from './settlement.ts'

interface Row {
  message_id: string
  app_id: number
  installation_no: number
  installation_id: string
  device_type: string
  user_id: string
}

/** For webhooks: what ended without arriving, unless it was cancelled on purpose. */
export async function emitFailures(tx: Transaction, store: Store, settlements: readonly Settlement[]): Promise<void> {
  const failed = settlements
    .filter(({ appId }) => mayInterest(store, appId, 'message.failed'))
    .flatMap(({ appId, message, settled }) =>
      settled.flatMap(({ state, reason, ...rest }) =>
        state === 'ended' && reason && reason !== 'cancelled' ? [{ appId, message, reason, ...rest }] : [],
      ),
    )
  if (failed.length === 0) return
  const rows = await tx.query<Row>(
    sql`select k.message_id, i.app_id, i.installation_no, i.id as installation_id, i.device_type, u.user_id
        from ${unnestRows(failed, 'k', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ message }) => message.id],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        join installations i on i.app_id = k.app_id and i.installation_no = k.installation_no
        join messages m on m.app_id = k.app_id and m.id = k.message_id
        join users u on u.app_id = i.app_id and u.user_no = ${decidedFor}`,
    'read-failed-installations',
  )
  const keyOf = (messageId: string, installationNo: number) => `${messageId} ${installationNo}`
  const byKey = new Map(rows.map((row) => [keyOf(row.message_id, row.installation_no), row]))
  await leaveInOutbox(
    tx,
    store,
    failed.flatMap(({ appId, message, installationNo, reason, at, ...rest }) => {
      const row = byKey.get(keyOf(message.id, installationNo))
      if (!row) return []
      const detail = describeDetail(rest)
      const body = {
        messageId: message.id,
        ...(message.trackId !== undefined && { trackId: message.trackId }),
        ...(message.clientId !== undefined && { clientId: message.clientId }),
        userId: row.user_id,
        installationId: row.installation_id,
        deviceType: row.device_type,
        reason,
        ...(detail && { detail }),
      }
      return [{ appId, kind: 'message.failed' as const, at, body }]
    }),
  )
}
