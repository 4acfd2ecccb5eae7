import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { decidedFor, decidedForGuest, endsByChange, messageColumns } from '../other-user/decided-for.ts'

/** Of which users it is known that they do not want messages of which category, or none at all. */
export async function findUnwilling(
  database: Database,
  appId: number,
  asked: readonly { userNo: number; category: string }[],
): Promise<(userNo: number, category: string) => boolean> {
  const rows = await database.query<{ user_no: number; category: string }>(
    sql`select user_no, category from user_preferences
        where app_id = ${appId} and user_no = any(${[...new Set(asked.map(({ userNo }) => userNo))]}::bigint[])
          and category = any(${['*', ...new Set(asked.map(({ category }) => category))]}::text[]) and not is_wanted`,
    'find-unwilling-users',
  )
  const refused = new Set(rows.map(({ user_no, category }) => `${user_no} ${category}`))
  return (userNo, category) => refused.has(`${userNo} *`) || refused.has(`${userNo} ${category}`)
}

/**
 * Returns users for whom the message was decided on these installations and whom it did not reach: the deliveries to
 * all installations that are or were theirs have ended. A current one without a delivery may still get it. Whether it is
 * in the audience is looked up only if an installation has changed users, because that reads all batches of the message.
 */
export async function findUnreached(
  tx: Transaction,
  { appId, messageId, installationNos }: { appId: number; messageId: string; installationNos: readonly number[] },
): Promise<number[]> {
  const rows = await tx.query<{ user_no: number }>(
    sql`with asked as materialized (
          select decided.user_no, bool_or(${endsByChange(messageColumns)}) as has_passed_on
          from installations i join messages m on m.app_id = i.app_id and m.id = ${messageId}
          cross join lateral (values (${decidedFor}), (${decidedForGuest})) as decided(user_no)
          where decided.user_no is not null and i.app_id = ${appId} and i.installation_no = any(${[...installationNos]}::bigint[])
          group by decided.user_no
        )
        select user_no from asked
        except
        select asked.user_no from asked
        cross join lateral (
          select installation_no, true as is_own from installations where app_id = ${appId} and user_no = asked.user_no
          union all
          select installation_no, false from installation_user_changes where app_id = ${appId} and from_user_no = asked.user_no
        ) i
        left join deliveries d on d.app_id = ${appId} and d.message_id = ${messageId} and d.installation_no = i.installation_no
        where case when d.state is not null then d.state <> 'ended' or d.reason = 'unknown'
          else i.is_own and (not asked.has_passed_on or exists (
            select from delivery_batches b
            where b.app_id = ${appId} and b.message_id = ${messageId}
              and (b.installation_nos is null or i.installation_no = any(b.installation_nos)))) end`,
    'find-unreached-users',
  )
  return rows.map((row) => row.user_no)
}
