import sql, { empty } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { ForgottenUser } from '../installations/users/forget-user.ts'

/** What was deleted before, and until when others may have written about it without seeing that: by our time and the database's. */
export interface Earlier {
  user: ForgottenUser
  until: { came: Date; stored: Date }
}

interface Asked {
  appId: number
  userIds: string[]
  /** When it is looked for once more. By the user's id only what came until then is found. */
  earlier?: Earlier
}

/** All that the data of a user hangs on, locked: installations before users, as all who write them do. */
export async function findForgotten(tx: Transaction, { appId, userIds, earlier }: Asked): Promise<ForgottenUser> {
  const found = await findUserNos(tx, appId, userIds, earlier?.until.stored)
  const own = union(earlier?.user.userNos, found)
  await lockInstallations(tx, appId, own)
  await lockUsers(tx, appId, own)
  // Once more, for those that came between the two locks; now none can come any more.
  const installations = await lockInstallations(tx, appId, own)
  const numbers = installations.map((row) => row.installation_no)
  const guests = await findGuests(tx, appId, own, numbers)
  const allIds = union(
    userIds,
    guests.map((guest) => guest.user_id),
  )
  const messages = await findMessages(tx, appId, allIds, earlier?.until.came)
  return {
    appId,
    userNos: union(
      own,
      guests.map((guest) => guest.user_no),
    ),
    userIds: allIds,
    installationNos: union(earlier?.user.installationNos, numbers),
    installationIds: union(
      earlier?.user.installationIds,
      installations.map((row) => row.id),
    ),
    messageIds: union(earlier?.user.messageIds, messages.own),
    sharedMessageIds: union(earlier?.user.sharedMessageIds, messages.shared),
    until: earlier?.until,
  }
}

function union<T>(...lists: (readonly T[] | undefined)[]): T[] {
  return [...new Set(lists.flatMap((list) => list ?? []))]
}

async function findUserNos(tx: Transaction, appId: number, userIds: string[], until: Date | undefined) {
  const rows = await tx.query<{ user_no: number }>(sql`
    select user_no from users
    where app_id = ${appId} and user_id = any(${userIds}::text[]) ${until ? sql`and created_at <= ${until}` : empty}
    order by user_no`)
  return rows.map((row) => row.user_no)
}

async function lockUsers(tx: Transaction, appId: number, userNos: number[]): Promise<void> {
  await tx.query(sql`
    select from users where app_id = ${appId} and user_no = any(${userNos}::bigint[]) order by user_no for update`)
}

/** Answers those that are the users' now; those where one of them was the last to log in are locked only. */
async function lockInstallations(tx: Transaction, appId: number, userNos: number[]) {
  const rows = await tx.query<{ installation_no: number; id: string; user_no: number }>(sql`
    select installation_no, id, user_no from installations
    where app_id = ${appId} and (user_no = any(${userNos}::bigint[]) or login_user_no = any(${userNos}::bigint[]))
    order by installation_no for update`)
  return rows.filter((row) => userNos.includes(row.user_no))
}

/** Who did something on these installations before the login and has no other is the same person, or nobody. */
function findGuests(tx: Transaction, appId: number, userNos: number[], installationNos: number[]) {
  return tx.query<{ user_no: number; user_id: string }>(sql`
    select u.user_no, u.user_id from users u
    where u.app_id = ${appId} and u.is_guest and u.user_no in (
        select e.user_no from events e
        where e.app_id = ${appId} and e.installation_no = any(${installationNos}::bigint[])
          and e.user_no <> all(${userNos}::bigint[]))
      and not exists (select from installations i where i.app_id = u.app_id and i.user_no = u.user_no)
    order by u.user_no for update of u`)
}

async function findMessages(
  tx: Transaction,
  appId: number,
  userIds: string[],
  until: Date | undefined,
): Promise<{ own: string[]; shared: string[] }> {
  const accepted = sql`exists (
    select from messages m where m.app_id = ${appId} and m.id = named.message_id and m.accepted_at <= ${until})`
  const rows = await tx.query<{ message_id: string; is_shared: boolean }>(sql`
    select distinct named.message_id, exists (
      select from message_users other
      where other.app_id = ${appId} and other.message_id = named.message_id and other.user_id <> all(${userIds}::text[])) as is_shared
    from message_users named
    where named.app_id = ${appId} and named.user_id = any(${userIds}::text[]) ${until ? sql`and ${accepted}` : empty}`)
  return {
    own: rows.filter((row) => !row.is_shared).map((row) => row.message_id),
    shared: rows.filter((row) => row.is_shared).map((row) => row.message_id),
  }
}
