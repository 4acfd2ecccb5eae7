import sql, { empty } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { ForgottenUser } from '../../installations/users/forget-user.ts'

/** Sends to nobody else go; of those to others too, only the user's name among the addressees. */
export async function forgetUser(tx: Transaction, { appId, userIds, until }: ForgottenUser): Promise<void> {
  const naming = sql`app_id = ${appId} and user_ids && ${userIds}::text[] ${until ? sql`and asked_at <= ${until.came}` : empty}`
  await tx.query(sql`delete from send_approvals where ${naming} and user_ids <@ ${userIds}::text[]`)
  await tx.query(sql`
    update send_approvals
    set user_ids = array(select id from unnest(user_ids) with ordinality as u(id, place) where id <> all (${userIds}::text[]) order by place)
    where ${naming}`)
}
