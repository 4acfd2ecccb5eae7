import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'

export interface UserNumber {
  appId: number
  userNo: number
}

/** Guests who logged in under their own id are registered users from now on. */
export async function markRegistered(tx: Transaction, users: readonly UserNumber[]): Promise<void> {
  await tx.query(
    sql`update users u set is_guest = false
        from unnest(${users.map((user) => user.appId)}::int[], ${users.map((user) => user.userNo)}::bigint[]) as k(app_id, user_no)
        where u.app_id = k.app_id and u.user_no = k.user_no and u.is_guest`,
    'mark-registered',
  )
}

/** The user's events from before the first login are waiting for this installation [choice 17]. */
export async function leaveEventAdoptions(
  tx: Transaction,
  logins: readonly (UserNumber & { installationNo: number })[],
): Promise<void> {
  await tx.query(
    sql`insert into event_adoptions (app_id, user_no, installation_no)
        select app_id, user_no, installation_no
        from unnest(${logins.map((login) => login.appId)}::int[], ${logins.map((login) => login.userNo)}::bigint[],
                    ${logins.map((login) => login.installationNo)}::bigint[]) with ordinality
             as k(app_id, user_no, installation_no, position)
        order by app_id, user_no, position
        on conflict do nothing`,
    'leave-event-adoptions',
  )
}

/** How many installations of each user are not uninstalled, in the users' order. */
export async function countInstallations(
  tx: Transaction,
  users: readonly (UserNumber | undefined)[],
): Promise<number[]> {
  const rows = await tx.query<{ count: number }>(
    sql`select (select count(*) from installations i
                where i.app_id = k.app_id and i.user_no = k.user_no and i.uninstalled_at is null) as count
        from unnest(${users.map((user) => user?.appId ?? null)}::int[], ${users.map((user) => user?.userNo ?? null)}::bigint[])
             with ordinality as k(app_id, user_no, position)
        order by k.position`,
    'count-installations-of-users',
  )
  return rows.map((row) => row.count)
}
