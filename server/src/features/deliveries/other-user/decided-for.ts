import sql, { raw, type Sql } from 'sql-template-tag'

/**
 * [ADR-0099] The rule that everything which hands over a message asks. Whether the message `m` is still for whoever has
 * the installation `i`, which now belongs to the user with the id `userId`. A message to named users is for those users,
 * and for the guest among them who has become the installation's first registered user. Any other was decided for the
 * user at the time, so a later change from a registered user to somebody else ends it (`endsByChange`).
 */
export function isForUser(message: MessageColumns, userId: Sql): Sql {
  return sql`(${isNamed(message, userId)} and not ${endsByChange(message)})`
}

/** What the rule asks of a message. */
export interface MessageColumns {
  appId: Sql
  id: Sql
  isPersonal: Sql
  /** See `refusedAfter`. */
  refusedAfter: Sql
}

/** No change has so high a number. */
export const neverRefused = Number.MAX_SAFE_INTEGER
const never = raw(String(neverRefused))

/**
 * Changes of user with a higher number end the message `m`. Older versions stored nothing: then a group's is ended by
 * any change, and one to a channel by none.
 */
export const refusedAfter: Sql = sql`coalesce(m.user_change, case m.audience when 'query' then 0 else ${never} end)`

export const messageColumns: MessageColumns = {
  appId: sql`m.app_id`,
  id: sql`m.id`,
  isPersonal: sql`m.audience = 'users'`,
  refusedAfter,
}

/** Whether the installation `i` has changed users since. `user_change` is null for almost all installations. */
export function endsByChange({ refusedAfter: after }: Pick<MessageColumns, 'refusedAfter'>): Sql {
  return sql`coalesce(i.user_change > ${after}, false)`
}

/** `offset 0` keeps PostgreSQL to one index lookup, whatever it believes about the tables. */
function isNamed({ appId, id, isPersonal }: MessageColumns, userId: Sql): Sql {
  const named = (name: Sql) => sql`exists (
      select from message_users named
      where named.app_id = ${appId} and named.user_id = ${name} and named.message_id = ${id} offset 0)`
  return sql`(not (${isPersonal}) or ${named(userId)} or (
      i.user_change is null and i.guest_user_no is not null
      and ${named(sql`(select user_id from users where app_id = ${appId} and user_no = i.guest_user_no)`)}))`
}

/**
 * The number of the user for whom the message `m` was decided on the installation `i`: whose it was before the first
 * change that ends the message, else whose it is. Of several users who are named, whoever has it now counts first.
 */
export const decidedFor: Sql = sql`case when i.user_change is null then i.user_no else coalesce(
  (select c.from_user_no from installation_user_changes c
   where c.app_id = i.app_id and c.installation_no = i.installation_no and c.number > ${refusedAfter}
   order by c.number limit 1),
  (select u.user_no from message_users named join users u on u.app_id = named.app_id and u.user_id = named.user_id
   where m.audience = 'users' and named.app_id = m.app_id and named.message_id = m.id
   order by u.user_no <> i.user_no, u.user_no limit 1),
  i.user_no) end`

/** Numbers of the installations on which a message may have been decided for a user: present and former ones. */
export function listInstallationsOf({ appId, userNo }: { appId: number; userNo: number | null }): Sql {
  return sql`select installation_no from installations where app_id = ${appId} and user_no = ${userNo}::bigint
    union
    select installation_no from installation_user_changes where app_id = ${appId} and from_user_no = ${userNo}::bigint`
}

/** The guest who became that user on the installation: what was taken for the message may have been taken for the guest. */
export const decidedForGuest: Sql = sql`case when i.user_change is null then i.guest_user_no else coalesce(
  (select c.guest_user_no from installation_user_changes c
   where c.app_id = i.app_id and c.installation_no = i.installation_no and c.number > ${refusedAfter}
   order by c.number limit 1),
  i.guest_user_no) end`
