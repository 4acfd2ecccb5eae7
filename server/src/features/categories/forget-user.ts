import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { type ForgottenUser, removeRows } from '../installations/users/forget-user.ts'

export async function forgetUser(tx: Transaction, { appId, userNos }: ForgottenUser): Promise<void> {
  await removeRows(
    tx,
    sql`delete from user_preferences where app_id = ${appId} and user_no = any(${userNos}::bigint[])`,
  )
}
