import sql from 'sql-template-tag'
import { limits } from '#base/config.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { findAddressed } from '../events/influence/find-addressed.ts'
import type { Receipt } from './receipt.ts'

export interface Addressee {
  /** Null: there is no such installation. */
  installation_no: number | null
  /** The message is one of the app's, and was sent to this installation. */
  is_addressed: boolean
  /** To how many the message goes; null: there is no such message. */
  recipients: number | null
  /** Of the message's SMS, when it has one. */
  fallback_policy: string | null
}

/** For each receipt in order, who sent it. */
export async function findAddressees(
  tx: Transaction,
  sent: readonly { appId: number; installationId: string; receipt: Receipt }[],
): Promise<Addressee[]> {
  const found = await tx.query<Omit<Addressee, 'is_addressed'>>(
    sql`select i.installation_no, m.recipients, m.body -> 'fallback' ->> 'policy' as fallback_policy
        from ${unnestRows(
          sent,
          'k',
          {
            app_id: ['int', (each) => each.appId],
            installation_id: ['uuid', (each) => each.installationId],
            message_id: ['uuid', (each) => each.receipt.messageId],
          },
          { position: 'position' },
        )}
        left join installations i on i.app_id = k.app_id and i.id = k.installation_id
        left join messages m on m.app_id = k.app_id and m.id = k.message_id
        order by k.position`,
    'find-addressees',
  )
  const known = sent.flatMap(({ appId, receipt: { messageId } }, index) => {
    const { installation_no: installationNo = null, recipients = null } = found[index] ?? {}
    return installationNo === null || recipients === null ? [] : [{ appId, messageId, installationNo, index }]
  })
  const isAddressed = await findAddressed(tx, known)
  const addressed = new Set(known.flatMap(({ index }, position) => (isAddressed[position] ? [index] : [])))
  return found.map((row, index) => ({ ...row, is_addressed: addressed.has(index) }))
}

export interface ReceiptRow extends Receipt {
  appId: number
  installationNo: number
}

/**
 * A receipt that was there before stays as it was. Answers those that are new. Devices name the actions that were taken:
 * of one delivery so many are kept, and further ones leave nothing.
 */
export async function insertReceipts(
  tx: Transaction,
  rows: readonly ReceiptRow[],
  receivedAt: Date,
): Promise<ReceiptRow[]> {
  return tx.query<ReceiptRow>(
    sql`insert into receipts (app_id, message_id, installation_no, kind, action_id, happened_at, received_at)
        select app_id, message_id, installation_no, kind, action_id, happened_at, ${receivedAt}
        from (select r.*, row_number() over (partition by app_id, message_id, installation_no, kind) as place from ${unnestRows(
          rows,
          'r',
          {
            app_id: ['int', (row) => row.appId],
            message_id: ['uuid', (row) => row.messageId],
            installation_no: ['bigint', (row) => row.installationNo],
            kind: ['text', (row) => row.kind],
            action_id: ['text', (row) => row.actionId],
            happened_at: ['timestamptz', (row) => row.happenedAt.toISOString()],
          },
        )}) r
        where kind <> 'acted' or place + (
          select count(*) from receipts e
          where e.app_id = r.app_id and e.message_id = r.message_id and e.installation_no = r.installation_no and e.kind = 'acted'
        ) <= ${limits.actionsPerDelivery}
        order by app_id, message_id, installation_no, kind, action_id collate "C"
        on conflict do nothing
        returning app_id as "appId", message_id as "messageId", installation_no as "installationNo", kind,
          action_id as "actionId", happened_at as "happenedAt"`,
    'insert-receipts',
  )
}
