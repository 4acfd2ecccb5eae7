import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

interface ReceiptOfFallback {
  appId: number
  messageId: string
  installationNo: number
  kind: string
  /** Null: the message has no SMS. */
  fallbackPolicy: string | null
}

/**
 * [sending.md#sms-fallback] What a device of the user received or showed needs no SMS any more. The row decides:
 * whoever moves it out of 'waiting' first wins, this or fallback-loop.ts. Runs before deliveries are locked. Of a
 * message to several users, a device speaks for the one who was logged in on it when the message was accepted.
 */
export async function cancelReceivedFallbacks(tx: Transaction, receipts: readonly ReceiptOfFallback[]): Promise<void> {
  const cancelling = receipts.filter(
    ({ fallbackPolicy, kind }) =>
      fallbackPolicy === 'NOT_RECEIVED' || (fallbackPolicy === 'NOTIFICATION_SHOWN' && kind !== 'delivered'),
  )
  if (cancelling.length === 0) return
  await tx.query(
    sql`with received as (
          select f.app_id, f.message_id, f.user_id, k.kind
          from ${unnestRows(cancelling, 'k', {
            app_id: ['int', (each) => each.appId],
            message_id: ['uuid', (each) => each.messageId],
            installation_no: ['bigint', (each) => each.installationNo],
            kind: ['text', (each) => each.kind],
          })}
          join messages m on m.app_id = k.app_id and m.id = k.message_id
          join installations i on i.app_id = k.app_id and i.installation_no = k.installation_no
            and i.logged_in_at <= m.accepted_at
          join users u on u.app_id = k.app_id and u.user_no in (i.user_no, i.login_user_no)
          join sms_fallbacks f on f.app_id = k.app_id and f.message_id = k.message_id and f.user_id = u.user_id
          where f.state = 'waiting'
          order by f.app_id, f.message_id, f.user_id
          for update of f
        )
        update sms_fallbacks f set state = 'cancelled', detail = 'a device reported: ' || r.kind, updated_at = peyk_now()
        from received r
        where f.app_id = r.app_id and f.message_id = r.message_id and f.user_id = r.user_id and f.state = 'waiting'`,
    'cancel-received-fallbacks',
  )
}
