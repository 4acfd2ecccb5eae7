import sql from 'sql-template-tag'
import type { Store } from '../../../base/store/store.ts'

/** What was asked for 90 days ago is decided, or has lapsed, long since. */
export async function forgetOldApprovals({ store }: { store: Store }): Promise<void> {
  await store.query(sql`delete from send_approvals where asked_at < peyk_now() - interval '90 days'`)
}
