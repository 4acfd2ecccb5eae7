import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import type { Transaction } from '../../base/store/store.ts'
import type { Receipt } from './receipt.ts'

export interface Addressee {
  /** Null: there is no such installation. */
  installation_no: number | null
  /** The message is one of the app's, and went to this installation or may have. */
  is_addressed: boolean
  /** To how many the message goes. */
  recipients: number | null
  /** Of the message's SMS, when it has one. */
  fallback_policy: string | null
}

/**
 * For each receipt in order, who sent it. A message to named users went to the installations of these users, or of
 * those who were logged in when it went; who else it went to, a delivery tells.
 */
export async function findAddressees(
  tx: Transaction,
  sent: readonly { appId: number; installationId: string; receipt: Receipt }[],
): Promise<Addressee[]> {
  return tx.query<Addressee>(
    sql`select i.installation_no,
          m.id is not null and i.installation_no is not null and (
            m.audience <> 'users'
            or exists (
              select from users u join message_users named
                on named.app_id = u.app_id and named.user_id = u.user_id and named.message_id = m.id
              where u.app_id = k.app_id and u.user_no in (i.user_no, i.login_user_no))
            or exists (
              select from deliveries d
              where d.app_id = k.app_id and d.message_id = m.id and d.installation_no = i.installation_no)
          ) as is_addressed,
          m.recipients, m.body -> 'fallback' ->> 'policy' as fallback_policy
        from unnest(${sent.map((each) => each.appId)}::int[], ${sent.map((each) => each.installationId)}::uuid[],
                    ${sent.map((each) => each.receipt.messageId)}::uuid[])
             with ordinality as k(app_id, installation_id, message_id, position)
        left join installations i on i.app_id = k.app_id and i.id = k.installation_id
        left join messages m on m.app_id = k.app_id and m.id = k.message_id
        order by k.position`,
    'find-addressees',
  )
}

export async function isInstallation(ctx: Context, id: string): Promise<boolean> {
  const rows = await db(ctx).query(
    sql`select from installations where app_id = ${ctx.app.id} and id = ${id}`,
    'is-installation',
  )
  return rows.length > 0
}

export interface ReceiptRow extends Receipt {
  appId: number
  installationNo: number
}

/** A receipt that was there before stays as it was. Answers those that are new. */
export async function insertReceipts(
  tx: Transaction,
  rows: readonly ReceiptRow[],
  receivedAt: Date,
): Promise<ReceiptRow[]> {
  return tx.query<ReceiptRow>(
    sql`insert into receipts (app_id, message_id, installation_no, kind, action_id, happened_at, received_at)
        select app_id, message_id, installation_no, kind, action_id, happened_at, ${receivedAt}
        from unnest(
          ${rows.map((row) => row.appId)}::int[], ${rows.map((row) => row.messageId)}::uuid[],
          ${rows.map((row) => row.installationNo)}::bigint[], ${rows.map((row) => row.kind)}::text[],
          ${rows.map((row) => row.actionId)}::text[], ${rows.map((row) => row.happenedAt.toISOString())}::timestamptz[]
        ) as r(app_id, message_id, installation_no, kind, action_id, happened_at)
        order by app_id, message_id, installation_no, kind, action_id collate "C"
        on conflict do nothing
        returning app_id as "appId", message_id as "messageId", installation_no as "installationNo", kind,
          action_id as "actionId", happened_at as "happenedAt"`,
    'insert-receipts',
  )
}
