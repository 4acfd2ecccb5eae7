import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

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
