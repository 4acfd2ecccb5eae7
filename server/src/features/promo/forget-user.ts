import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'

/** Codes stay given [promo-codes.md#who-gets-which-code], but nothing says any more to whom, or with which message. */
export async function forgetUser(tx: Transaction, { appId, userNos }: ForgottenUser) {
  const promoCodes = await removeRows(
    tx,
    sql`update promo_given set user_no = 0, message_id = gen_random_uuid(), installation_nos = null
        where app_id = ${appId} and user_no = any(${userNos}::bigint[])`,
  )
  return { promoCodes }
}
