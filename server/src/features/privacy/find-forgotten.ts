import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'
import type { ForgottenUser } from '../installations/forget-user.ts'

/** All that a user's data hangs on, locked: installations before users, as all who write them do. */
export async function findForgotten(
  tx: Transaction,
  appId: number,
  userId: string,
  userNo: number | null,
): Promise<ForgottenUser> {
  const guests: { user_no: number; user_id: string }[] = []
  let installationNos: number[] = []
  if (userNo !== null) {
    await lockInstallations(tx, appId, userNo)
    await tx.query(sql`select from users where app_id = ${appId} and user_no = ${userNo} for update`)
    // Once more, for those that came between the two locks; now none can come any more.
    installationNos = await lockInstallations(tx, appId, userNo)
    guests.push(...(await findGuests(tx, appId, userNo, installationNos)))
  }
  const userIds = [userId, ...guests.map((guest) => guest.user_id)]
  return {
    appId,
    userNos: [...(userNo === null ? [] : [userNo]), ...guests.map((guest) => guest.user_no)],
    userIds,
    installationNos,
    messageIds: await findOwnMessages(tx, appId, userIds),
  }
}

/** Answers those that are the user's now; those where the user was the last to log in are locked only. */
async function lockInstallations(tx: Transaction, appId: number, userNo: number): Promise<number[]> {
  const rows = await tx.query<{ installation_no: number; user_no: number }>(sql`
    select installation_no, user_no from installations
    where app_id = ${appId} and (user_no = ${userNo} or login_user_no = ${userNo})
    order by installation_no for update`)
  return rows.filter((row) => row.user_no === userNo).map((row) => row.installation_no)
}

/** Who did something on these installations before the login and has no other is the same person, or nobody. */
function findGuests(tx: Transaction, appId: number, userNo: number, installationNos: number[]) {
  return tx.query<{ user_no: number; user_id: string }>(sql`
    select u.user_no, u.user_id from users u
    where u.app_id = ${appId} and u.is_guest and u.user_no in (
        select e.user_no from events e
        where e.app_id = ${appId} and e.installation_no = any(${installationNos}::bigint[]) and e.user_no <> ${userNo})
      and not exists (select from installations i where i.app_id = u.app_id and i.user_no = u.user_no)
    order by u.user_no for update`)
}

async function findOwnMessages(tx: Transaction, appId: number, userIds: string[]): Promise<string[]> {
  const rows = await tx.query<{ message_id: string }>(sql`
    select distinct own.message_id from message_users own
    where own.app_id = ${appId} and own.user_id = any(${userIds}::text[]) and not exists (
      select from message_users other
      where other.app_id = ${appId} and other.message_id = own.message_id and other.user_id <> all(${userIds}::text[]))`)
  return rows.map((row) => row.message_id)
}
