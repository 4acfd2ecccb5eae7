import sql from 'sql-template-tag'
import type { AppIdentity } from '#base/context.ts'
import type { Store } from '#base/store/store.ts'

/**
 * The messages accepted up to then of which something still waits: to be sent, to be brought by the own connection alone,
 * or to become an SMS; and scheduled ones whose time has come.
 */
export async function listWaitingMessages(
  store: Store,
  acceptedUpTo: Date,
): Promise<{ app: AppIdentity; messageId: string }[]> {
  const rows = await store.query<{ app_id: number; label: string; id: string }>(sql`
    select m.app_id, a.label, m.id
    from (
      select app_id, message_id from delivery_batches where state in ('queued', 'paused')
      union select app_id, message_id from deliveries where in_inbox and state = 'queued'
      union select app_id, message_id from sms_fallbacks where state = 'waiting'
    ) w
    join messages m on m.app_id = w.app_id and m.id = w.message_id
    join apps a on a.app_id = m.app_id
    where m.accepted_at <= ${acceptedUpTo} and m.cancelled_at is null
    union all
    select s.app_id, a.label, s.id from scheduled_messages s join apps a using (app_id)
    where s.created_at <= ${acceptedUpTo} and s.due_at <= peyk_now() and s.available_at < 'infinity' and s.cancelled_at is null
    order by 1, 3`)
  return rows.map(({ app_id, label, id }) => ({ app: { id: app_id, label }, messageId: id }))
}
