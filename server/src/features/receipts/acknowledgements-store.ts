import sql from 'sql-template-tag'
import { plainArray } from '../../base/store/plain-array.ts'
import type { Transaction } from '../../base/store/store.ts'

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
        from unnest(${plainArray(distinct.map(({ appId }) => appId))}::int[],
                    ${plainArray(distinct.map(({ messageId }) => messageId))}::uuid[]) as k(app_id, id)
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
        from unnest(${plainArray(keys.map(({ appId }) => appId))}::int[], ${plainArray(keys.map(({ messageId }) => messageId))}::uuid[],
                    ${plainArray(keys.map(({ installationNo }) => installationNo))}::bigint[]) as r(app_id, message_id, installation_no)
        order by app_id, message_id, installation_no
        on conflict do nothing`,
    'insert-delivered',
  )
}
