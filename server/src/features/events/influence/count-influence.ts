import sql from 'sql-template-tag'
import { limits } from '#base/config.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { EventDraft } from '../event.ts'

/** Adds events to the counts of the messages that they came after, where these are messages of the app. */
export async function countInfluence(tx: Transaction, drafts: readonly EventDraft[]): Promise<void> {
  if (drafts.length === 0) return
  await tx.query(
    sql`insert into influence_counters as c (app_id, message_id, currency, track_id, events, direct_events, revenue)
        select i.app_id, i.message_id, i.currency, min(m.track_id), count(*), count(*) filter (where i.is_direct),
          coalesce(sum(i.revenue), 0)
        from ${unnestRows(drafts, 'i', {
          app_id: ['int', (draft) => draft.appId],
          message_id: ['uuid', (draft) => draft.influence?.messageId],
          is_direct: ['boolean', (draft) => draft.influence?.isDirect],
          currency: ['text', currencyOf],
          revenue: ['numeric', (draft) => draft.revenue],
        })}
        cross join lateral (
          select track_id from messages where app_id = i.app_id and id = i.message_id offset 0
        ) m
        group by i.app_id, i.message_id, i.currency
        order by i.app_id, i.message_id, i.currency collate "C"
        on conflict (app_id, message_id, currency) do update
        set events = c.events + excluded.events, direct_events = c.direct_events + excluded.direct_events,
          revenue = c.revenue + excluded.revenue`,
    'count-influence',
  )
}

/** [users-and-events.md#revenue] In upper case. A device may send any text; what cannot be a name of a currency is none. */
function currencyOf({ revenue, currency }: EventDraft): string {
  const name = revenue === null ? '' : (currency ?? '').toUpperCase()
  return Buffer.byteLength(name) <= limits.nameBytes ? name : ''
}
