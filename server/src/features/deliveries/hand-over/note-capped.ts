import sql from 'sql-template-tag'
import type { Store, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { mayInterest } from '../../outbox/outbox.ts'
import type { Settlement } from '../dispatch/settlement.ts'

/** For webhooks: counts what a cap has ended. `emit-capped.ts` tells of it. */
export async function noteCapped(tx: Transaction, store: Store, settlements: readonly Settlement[]): Promise<void> {
  const counts = new Map<string, { appId: number; messageId: string; count: number; at: Date }>()
  for (const { appId, message, settled } of settlements) {
    if (!message.rules) continue
    const capped = settled.filter(({ reason }) => reason === 'capped')
    const [first] = capped
    if (!first || !mayInterest(store, appId, 'message.capped')) continue
    const key = `${appId}/${message.id}`
    const { count = 0, at = first.at } = counts.get(key) ?? {}
    counts.set(key, { appId, messageId: message.id, count: count + capped.length, at })
  }
  if (counts.size === 0) return
  await tx.query(
    sql`insert into capped_counts (app_id, message_id, count, since)
        select app_id, message_id, count, since from ${unnestRows([...counts.values()], 'c', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          count: ['int', ({ count }) => count],
          since: ['timestamptz', ({ at }) => at.toISOString()],
        })}
        order by app_id, message_id
        on conflict (app_id, message_id) do update set count = capped_counts.count + excluded.count`,
    'note-capped',
  )
}
