import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'
import { unnestRows } from '../../base/store/unnest-rows.ts'

interface Key {
  appId: number
  messageId: string
}

/** To how many each message goes, of those that have no SMS to fall back on. */
export async function findPlainMessages(tx: Transaction, keys: readonly Key[]): Promise<Map<string, number>> {
  const distinct = [...new Map(keys.map((key) => [key.messageId, key])).values()]
  if (distinct.length === 0) return new Map()
  const rows = await tx.query<{ id: string; recipients: number }>(
    sql`select m.id, m.recipients
        from ${unnestRows(distinct, 'k', {
          app_id: ['int', ({ appId }) => appId],
          id: ['uuid', ({ messageId }) => messageId],
        })}
        cross join lateral (select * from messages where app_id = k.app_id and id = k.id offset 0) m
        where m.body -> 'fallback' is null`,
    'find-plain-messages',
  )
  return new Map(rows.map((row) => [row.id, row.recipients]))
}

/** A receipt that was there before stays as it was. */
export async function insertDelivered(
  tx: Transaction,
  keys: readonly (Key & { installationNo: number })[],
  at: Date,
): Promise<void> {
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
