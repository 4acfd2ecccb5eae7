import sql, { empty } from 'sql-template-tag'
import { holdsWord } from '#base/idempotency/forget-answers.ts'
import type { Transaction } from '#base/store/store.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'

/**
 * What webhooks were still to be told of the user. A call that is being made is not made again. What an older writer left
 * may carry a later time; it is told from what came since by nobody of this name being there. Runs after users are forgotten.
 */
export async function forgetUser(tx: Transaction, user: ForgottenUser): Promise<void> {
  const { appId, userIds, installationIds, until } = user
  const isOld = sql`(happened_at <= ${until?.came}
      or not exists (select from users where app_id = ${appId} and user_id = any(${userIds}::text[])))`
  const isAbout = sql`app_id = ${appId} ${until ? sql`and ${isOld}` : empty}
    and ${holdsWord('body', [...userIds, ...installationIds])}`
  await removeRows(tx, sql`delete from outbox where ${isAbout}`)
  await removeRows(tx, sql`delete from webhook_calls where ${isAbout}`)
}
