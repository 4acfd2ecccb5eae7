import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { deleteUserChanges } from '../../installations/users/user-changes-store.ts'

/** Whose installations were is kept as long as messages from that time. That they changed users stays with them. */
export async function forgetUserChanges({ store }: Pick<Context, 'store'>): Promise<void> {
  const apps = await store.query<{ app_id: number; oldest: Date }>(
    sql`select a.app_id, coalesce(m.accepted_at, peyk_now()) - interval '1 day' as oldest
        from apps a
        left join lateral (select accepted_at from messages where app_id = a.app_id order by id limit 1) m on true`,
    'read-oldest-messages',
  )
  await deleteUserChanges(
    store,
    apps.map(({ app_id: appId, oldest: before }) => ({ appId, before })),
  )
}
