import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

/**
 * What was asked for 90 days ago is decided, or has lapsed, long since. What was approved is kept as long as what it became,
 * which says by whom.
 */
export async function forgetOldApprovals({ store }: { store: Store }): Promise<void> {
  await store.query(sql`
    delete from send_approvals a
    where asked_at < peyk_now() - interval '90 days' and (
      decision is distinct from 'approved'
      or not exists (select from messages m where m.app_id = a.app_id and m.id = a.message_id)
        and not exists (select from scheduled_messages s where s.app_id = a.app_id and s.id = a.message_id)
        and not exists (select from series r where r.app_id = a.app_id and r.id = a.series_id))`)
}
