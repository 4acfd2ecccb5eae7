import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'

/** Whose installations were is kept for longer than deliveries are by default. That they changed users stays with them. */
export async function forgetUserChanges({ store }: Pick<Context, 'store'>): Promise<void> {
  await store.query(
    sql`delete from installation_user_changes where due_at is null and changed_at < peyk_now() - interval '100 days'`,
    'forget-user-changes',
  )
}
