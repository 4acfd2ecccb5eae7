import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'
import { influenceMs } from './influence-time.ts'

interface Place {
  appId: number
  installationNo: number
  messageId: string
}

const first: Place = { appId: 0, installationNo: 0, messageId: '00000000-0000-0000-0000-000000000000' }
const windowsPerCommit = 1_000
/** Events that come so late are still counted. */
const graceMs = 3_600_000

/**
 * Events that carry no influence of their own, such as those a back end tracks, belong to the last message that the
 * installation had opened within the 12 hours before. The event is marked when it is counted, so it is counted once.
 */
export async function creditEvents(job: { store: Store; now(): Date; signal?: AbortSignal }): Promise<void> {
  const { store, signal } = job
  const endedBefore = new Date(Number(job.now()) - influenceMs - graceMs).toISOString()
  let after: Place | undefined = first
  while (after && !signal?.aborted) after = await attributePart(store, after)
  if (after) return
  await store.query(sql`delete from influence_windows where opened_at < ${endedBefore}::timestamptz`)
}

/** Answers where the next part begins; undefined when this was the last one. */
async function attributePart(store: Store, after: Place): Promise<Place | undefined> {
  const windows = await store.query<Place>(sql`
    select app_id as "appId", installation_no as "installationNo", message_id as "messageId" from influence_windows
    where (app_id, installation_no, message_id) > (${after.appId}, ${after.installationNo}, ${after.messageId}::uuid)
    order by app_id, installation_no, message_id limit ${windowsPerCommit}`)
  const last = windows.at(-1)
  if (!last) return undefined
  await store.query(sql`
    with w as materialized (
      select w.app_id, w.installation_no, w.message_id, w.opened_at, w.events_from,
        least(w.opened_at + ${influenceMs} * interval '1 millisecond', (
          select min(later.opened_at) from influence_windows later
          where later.app_id = w.app_id and later.installation_no = w.installation_no and later.opened_at > w.opened_at)) as ends_at
      from influence_windows w
      where (w.app_id, w.installation_no, w.message_id) > (${after.appId}, ${after.installationNo}, ${after.messageId}::uuid)
        and (w.app_id, w.installation_no, w.message_id) <= (${last.appId}, ${last.installationNo}, ${last.messageId}::uuid)
    ), marked as (
      update events e set influence_message_id = w.message_id, influence_direct = false
      from w
      where e.app_id = w.app_id and e.installation_no = w.installation_no and e.event_at >= w.opened_at
        and e.event_at < w.ends_at and e.id >= w.events_from and e.influence_message_id is null
      returning e.app_id, e.influence_message_id as message_id, e.revenue, upper(coalesce(e.currency, '')) as currency
    ), named as (
      select app_id, message_id, revenue,
        case when revenue is null or octet_length(currency) > 255 then '' else currency end as currency
      from marked
    )
    insert into influence_counters as c (app_id, message_id, currency, track_id, events, direct_events, revenue)
    select n.app_id, n.message_id, n.currency, min(m.track_id), count(*), 0, coalesce(sum(n.revenue), 0)
    from named n join messages m on m.app_id = n.app_id and m.id = n.message_id
    group by n.app_id, n.message_id, n.currency
    order by n.app_id, n.message_id, n.currency collate "C"
    on conflict (app_id, message_id, currency) do update
    set events = c.events + excluded.events, revenue = c.revenue + excluded.revenue`)
  return windows.length < windowsPerCommit ? undefined : last
}
