import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { messagesTo } from '../deliveries/forget-user.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'

/** What the user's installations reported, and all of messages that go. Runs before messages are forgotten. */
export async function forgetUser(tx: Transaction, user: ForgottenUser) {
  const { appId, installationNos, messageIds } = user
  const ofMessages = await removeRows(
    tx,
    sql`delete from receipts where app_id = ${appId} and message_id = any(${messageIds}::uuid[])`,
  )
  const ofInstallations = await removeRows(
    tx,
    sql`delete from receipts
        where app_id = ${appId} and installation_no = any(${installationNos}::bigint[]) and message_id in (${messagesTo(user)})`,
  )
  return { receipts: ofMessages + ofInstallations }
}
