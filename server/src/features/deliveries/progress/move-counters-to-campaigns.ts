import sql, { type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { countMessages } from './count-messages.ts'

/**
 * Adds the counts of the app's messages `m` that are about to go to those of their campaigns
 * [users-and-events.md#how-long-data-is-kept], and removes their own. The messages must go in the same transaction, or
 * they would be counted twice.
 */
export async function moveCountersToCampaigns(
  tx: Transaction,
  { appId, which }: { appId: number; which: Sql },
): Promise<void> {
  const counted = await countMessages(tx, { appId, which })
  const sums = counted.flatMap(({ trackId, messages, recipients, rows }) => [
    { trackId, state: 'messages', reason: '', count: messages },
    { trackId, state: 'recipients', reason: '', count: recipients },
    ...rows.map(({ state, reason, count }) => ({ trackId, state, reason: reason ?? '', count })),
  ])
  await tx.query(sql`
    insert into campaign_counters as c (app_id, track_id, state, reason, count)
    select ${appId}::int, track_id, state, reason, sum(count)
    from ${unnestRows(sums, 's', {
      track_id: ['text', (sum) => sum.trackId],
      state: ['text', (sum) => sum.state],
      reason: ['text', (sum) => sum.reason],
      count: ['bigint', (sum) => sum.count],
    })}
    group by track_id, state, reason
    order by track_id collate "C", state collate "C", reason collate "C"
    on conflict (app_id, track_id, state, reason) do update set count = c.count + excluded.count`)
  const ofMessages = sql`c.app_id = ${appId} and m.app_id = ${appId} and m.id = c.message_id and ${which}`
  await tx.query(sql`delete from delivery_counters c using messages m where ${ofMessages}`)
  await tx.query(sql`delete from language_counters c using messages m where ${ofMessages}`)
  await tx.query(sql`delete from variant_decisions c using messages m where ${ofMessages}`)
  await tx.query(sql`delete from action_counters c using messages m where ${ofMessages}`)
}
