import sql from 'sql-template-tag'
import { limits } from '../../base/config.ts'
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

/** Installations that are in use, by `app/user`: those without a token that were not seen for long are not. */
export async function countInstallationsOf(
  tx: Transaction,
  users: readonly { appId: number; userId: string }[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ key: string; count: number }>(
    sql`select k.app_id || '/' || k.user_id as key, (
          select count(*)::int from (
            select from installations i
            join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
            where i.app_id = u.app_id and i.user_no = u.user_no and i.uninstalled_at is null
              and (d.device_token is not null or i.launched_at > peyk_now() - make_interval(days => ${limits.forgottenAfterDays}))
            limit ${limits.installationsPerUser}
          ) used) as count
        from (select distinct * from unnest(${users.map(({ appId }) => appId)}::int[], ${users.map(({ userId }) => userId)}::text[])
                as k(app_id, user_id)) k
        join users u on u.app_id = k.app_id and u.user_id = k.user_id`,
    'count-installations-of',
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}
