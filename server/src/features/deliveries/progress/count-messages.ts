import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import { countWaiting, type DeliveryGroup, type WaitingGroup } from './count-deliveries.ts'

/** What became of messages that share a trackId. */
export interface CountedMessages {
  trackId: string
  messages: number
  recipients: number
  /** Those that wait are among them: queued ones as `queued`, those whose batch was cancelled as ended. */
  rows: DeliveryGroup[]
}

type Counted = { track_id: string; count: number } & (
  | { kind: 'messages'; recipients: number; state: null; reason: null; waiting: null }
  | { kind: 'group'; recipients: null; state: DeliveryState; reason: DeliveryReason | null; waiting: null }
  | { kind: 'unfinished'; recipients: number; state: null; reason: null; waiting: WaitingGroup[] }
)

/**
 * Adds up the counts of the app's messages `m` for which `which` holds and which have a trackId, all in one look.
 * `offset 0`: from the messages to their deliveries, never through all deliveries of the app.
 */
export async function countMessages(
  database: Database,
  { appId, which }: { appId: number; which: Sql },
): Promise<CountedMessages[]> {
  const rows = await database.query<Counted>(sql`
    with m as materialized (
      select m.id, m.track_id, m.recipients, m.recipients < ${countedRecipients} as is_to_few
      from messages m where m.app_id = ${appId} and m.track_id is not null and ${which}
    )
    select 'messages' as kind, track_id, null as state, null as reason, count(*) as count, sum(recipients)::bigint as recipients,
      null::jsonb as waiting
    from m group by track_id
    union all
    select 'group', m.track_id, d.state, d.reason, count(*), null, null
    from m cross join lateral (
      select state, reason from deliveries where app_id = ${appId} and message_id = m.id offset 0
    ) d
    where m.is_to_few group by m.track_id, d.state, d.reason
    union all
    select 'group', m.track_id, c.state, nullif(c.reason, ''), sum(c.count)::bigint, null, null
    from m cross join lateral (
      select state, reason, count from delivery_counters where app_id = ${appId} and message_id = m.id offset 0
    ) c
    group by m.track_id, c.state, c.reason
    union all
    select 'unfinished', m.track_id, null, null, ${settledOf(appId)}, m.recipients, b.waiting
    from m join (${waitingOf(appId)}) b on b.message_id = m.id`)
  return addUp(rows)
}

const settledOf = (appId: number) => sql`(
  (select count(*) from deliveries d
   where m.is_to_few and d.app_id = ${appId} and d.message_id = m.id and d.reason is distinct from 'not-in-channel')
  + coalesce((select sum(c.count) from delivery_counters c
              where c.app_id = ${appId} and c.message_id = m.id and c.reason <> 'not-in-channel'), 0)::bigint)`

const waitingOf = (appId: number) => sql`
  select message_id, jsonb_agg(jsonb_build_object('state', state, 'listed', listed, 'isOpen', is_open)) as waiting
  from (
    select message_id, case state when 'paused' then 'queued' else state end as state,
      coalesce(sum(cardinality(installation_nos)), 0) as listed, bool_or(installation_nos is null) as is_open
    from m join delivery_batches b on b.app_id = ${appId} and b.message_id = m.id group by 1, 2
  ) by_state
  group by message_id`

function addUp(rows: readonly Counted[]): CountedMessages[] {
  const byTrackId = new Map<string, CountedMessages>()
  for (const row of rows) {
    const trackId = row.track_id
    const sum = byTrackId.get(trackId) ?? { trackId, messages: 0, recipients: 0, rows: [] }
    byTrackId.set(trackId, sum)
    if (row.kind === 'messages') {
      sum.messages += row.count
      sum.recipients += row.recipients
    } else if (row.kind === 'group') {
      sum.rows.push({ state: row.state, reason: row.reason, count: row.count })
    } else {
      // How many of a message's recipients wait depends on its own rows.
      const settled: DeliveryGroup = { state: 'sent', reason: null, count: row.count }
      const { queued, cancelled } = countWaiting(row.recipients, [settled], row.waiting)
      if (queued > 0) sum.rows.push({ state: 'queued', reason: null, count: queued })
      if (cancelled > 0) sum.rows.push({ state: 'ended', reason: 'cancelled', count: cancelled })
    }
  }
  return [...byTrackId.values()]
}
