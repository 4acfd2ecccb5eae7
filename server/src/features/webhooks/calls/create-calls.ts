import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

const rowsAtOnce = 1_000

/**
 * Creates a call for every webhook that subscribes to an event, and empties the outbox, in one statement. Locks the
 * webhooks, so that none is deleted without its new calls. Returns true if there is more.
 */
export async function createCalls(store: Store): Promise<boolean> {
  const [row] = await store.query<{ taken: number }>(
    sql`with taken as (
          delete from outbox where ctid = any(array(
            select ctid from outbox order by event_no limit ${rowsAtOnce} for update skip locked))
          returning app_id, event_no, id, kind, happened_at, body
        ), calls as (
          insert into webhook_calls (app_id, webhook_id, event_id, kind, happened_at, body)
          select t.app_id, w.webhook_id, t.id, t.kind, t.happened_at, t.body
          from taken t join webhooks w on w.app_id = t.app_id and w.disabled_at is null and t.kind = any(w.events)
          order by t.event_no for key share of w
        )
        select count(*) as taken from taken`,
    'fan-out-outbox',
  )
  return row?.taken === rowsAtOnce
}
