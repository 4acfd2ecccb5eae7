import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'

/** What clients acknowledged over their connection. A receipt that was there before stays as it was. */
export async function insertDelivered(tx: Transaction, keys: readonly DeliveryKey[], at: Date): Promise<void> {
  await tx.query(
    sql`insert into receipts (app_id, message_id, installation_no, kind, action_id, happened_at, received_at)
        select app_id, message_id, installation_no, 'delivered', '', ${at}, ${at}
        from ${unnestRows(keys, 'r', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        order by app_id, message_id, installation_no
        on conflict do nothing`,
    'insert-delivered',
  )
}
