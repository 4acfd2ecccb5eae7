import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'
import { type ForgottenUser, removeRows } from '../installations/forget-user.ts'

/** Deliveries to the user's installations, past and still to come, and all of messages that go. Runs before messages are forgotten. */
export async function forgetUser(tx: Transaction, user: ForgottenUser) {
  const { appId, installationNos, messageIds } = user
  await removeRows(
    tx,
    sql`delete from delivery_batches where app_id = ${appId} and message_id = any(${messageIds}::uuid[])`,
  )
  await removeRows(
    tx,
    sql`update delivery_batches
        set installation_nos = array(select n from unnest(installation_nos) with ordinality as l(n, position)
                                     where n <> all(${installationNos}::bigint[]) order by position)
        where app_id = ${appId} and installation_nos && ${installationNos}::bigint[]`,
  )
  const ofMessages = await removeRows(
    tx,
    sql`delete from deliveries where app_id = ${appId} and message_id = any(${messageIds}::uuid[])`,
  )
  const ofInstallations = await removeRows(
    tx,
    sql`delete from deliveries
        where app_id = ${appId} and installation_no = any(${installationNos}::bigint[]) and message_id in (${messagesTo(user)})`,
  )
  return { deliveries: ofMessages + ofInstallations }
}

/** All messages that may have gone to the user's installations: those to the user, and those to nobody by name. */
export function messagesTo({ appId, userIds }: ForgottenUser) {
  return sql`
    select message_id from message_users where app_id = ${appId} and user_id = any(${userIds}::text[])
    union all
    select id from messages where app_id = ${appId} and audience <> 'users'`
}
