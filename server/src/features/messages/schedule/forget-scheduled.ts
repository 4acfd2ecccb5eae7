import sql, { empty } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { type ForgottenUser, removeRows } from '../../installations/users/forget-user.ts'
import { sealAgain } from '../approved/seal-approved.ts'

/** The same for messages that have not started. Answers how many went altogether. */
export async function forgetScheduled(tx: Transaction, { appId, userIds, until }: ForgottenUser): Promise<number> {
  const naming = sql`app_id = ${appId} and user_ids && ${userIds}::text[] ${until ? sql`and created_at <= ${until.came}` : empty}`
  const gone = await removeRows(
    tx,
    sql`delete from scheduled_messages where ${naming} and user_ids <@ ${userIds}::text[]`,
  )
  const left = await tx.query<{ id: string; is_approved: boolean }>(sql`
    update scheduled_messages
    set user_ids = array(select id from unnest(user_ids) with ordinality as u(id, place) where id <> all (${userIds}::text[]) order by place)
    where ${naming} returning id, approved_as is not null as is_approved`)
  await sealAgain(tx, { appId, ids: left.filter((row) => row.is_approved).map(({ id }) => id) })
  return gone
}
