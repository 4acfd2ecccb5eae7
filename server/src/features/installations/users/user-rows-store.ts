import sql, { type Sql } from 'sql-template-tag'
import { limits } from '#base/config.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface UserNumber {
  appId: number
  userNo: number
}

interface NamedUser {
  appId: number
  userId: string
}

/** Guests who logged in under their own id are registered users from now on. */
export async function markRegistered(tx: Transaction, users: readonly UserNumber[]): Promise<void> {
  await tx.query(
    sql`update users u set is_guest = false
        from ${unnestRows(users, 'k', {
          app_id: ['int', (user) => user.appId],
          user_no: ['bigint', (user) => user.userNo],
        })}
        where u.app_id = k.app_id and u.user_no = k.user_no and u.is_guest`,
    'mark-registered',
  )
}

/**
 * The user's events from before the first login are waiting for this installation
 * [users-and-events.md#installations-and-users].
 */
export async function leaveEventAdoptions(
  tx: Transaction,
  logins: readonly (UserNumber & { installationNo: number })[],
): Promise<void> {
  await tx.query(
    sql`insert into event_adoptions (app_id, user_no, installation_no)
        select app_id, user_no, installation_no
        from ${unnestRows(
          logins,
          'k',
          {
            app_id: ['int', (login) => login.appId],
            user_no: ['bigint', (login) => login.userNo],
            installation_no: ['bigint', (login) => login.installationNo],
          },
          { position: 'position' },
        )}
        order by app_id, user_no, position
        on conflict do nothing`,
    'leave-event-adoptions',
  )
}

/**
 * Of the user whose numbers a row has. `offset 0` keeps other conditions apart: as long as PostgreSQL has no statistics,
 * it may take one of the indexes of what is installed for them, and read all of the app.
 */
function installationsOf(user: Sql): Sql {
  return sql`(
    select app_id, installation_no, uninstalled_at, launched_at from installations
    where app_id = ${user}.app_id and user_no = ${user}.user_no offset 0)`
}

/** How many installations of each user are not uninstalled, in the users' order. */
export async function countInstallations(
  tx: Transaction,
  users: readonly (UserNumber | undefined)[],
): Promise<number[]> {
  const rows = await tx.query<{ count: number }>(
    sql`select (select count(*) from ${installationsOf(sql`k`)} i where i.uninstalled_at is null) as count
        from ${unnestRows(
          users,
          'k',
          {
            app_id: ['int', (user) => user?.appId ?? null],
            user_no: ['bigint', (user) => user?.userNo ?? null],
          },
          { position: 'position' },
        )}
        order by k.position`,
    'count-installations-of-users',
  )
  return rows.map((row) => row.count)
}

/**
 * Installations that are in use, by `app/user`: those without a token that were not seen for long are not. A user's count
 * has those, too, while it makes no difference.
 */
function countsOf(users: readonly NamedUser[]): Sql {
  return sql`select k.app_id || '/' || k.user_id as key,
          case when there.count + k.wanted <= ${limits.installationsPerUser} then there.count else (
            select count(*)::int from (
              select from ${installationsOf(sql`u`)} i
              join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
              where i.uninstalled_at is null
                and (d.device_token is not null or i.launched_at > peyk_now() - make_interval(days => ${limits.forgottenAfterDays}))
              limit ${limits.installationsPerUser}
            ) used) end as count
        from (select app_id, user_id, count(*)::int as wanted
              from ${unnestRows(users, 'k', {
                app_id: ['int', ({ appId }) => appId],
                user_id: ['text', ({ userId }) => userId],
              })} group by app_id, user_id) k
        join users u on u.app_id = k.app_id and u.user_id = k.user_id
        cross join lateral (
          select count(*)::int as count from (
            select from ${installationsOf(sql`u`)} i where i.uninstalled_at is null limit ${limits.installationsPerUser}
          ) of_user) there`
}

export async function countInstallationsOf(tx: Transaction, users: readonly NamedUser[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ key: string; count: number }>(countsOf(users), 'count-installations-of')
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/** The same, and whether anybody was deleted lately: one question less for those who ask both. */
export async function countAndLookForForgotten(
  tx: Transaction,
  users: readonly NamedUser[],
): Promise<{ counts: Map<string, number>; hasForgotten: boolean }> {
  const rows = await tx.query<{ has_forgotten: boolean; key: string | null; count: number | null }>(
    sql`select exists (select from forgotten_users) as has_forgotten, c.key, c.count
        from (values (1)) one left join (${countsOf(users)}) c on true`,
    'count-and-look-for-forgotten',
  )
  return {
    counts: new Map(rows.flatMap(({ key, count }) => (key === null || count === null ? [] : [[key, count]]))),
    hasForgotten: rows[0]?.has_forgotten === true,
  }
}
