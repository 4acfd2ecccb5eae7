import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'
import { forgetScheduled } from './schedule/forget-scheduled.ts'
import { forgetSeries } from './series/forget-series.ts'

/** Messages to nobody else go; of those to others too, only the user's name among the addressees. */
export async function forgetUser(tx: Transaction, user: ForgottenUser) {
  const { appId, userIds, messageIds, sharedMessageIds } = user
  await removeRows(
    tx,
    sql`delete from message_users
        where app_id = ${appId} and user_id = any(${userIds}::text[])
          and message_id = any(${[...messageIds, ...sharedMessageIds]}::uuid[])`,
  )
  const messages = await removeRows(
    tx,
    sql`delete from messages where app_id = ${appId} and id = any(${messageIds}::uuid[])`,
  )
  await forgetSeries(tx, user)
  const scheduled = await forgetScheduled(tx, user)
  return { messages: messages + scheduled }
}
