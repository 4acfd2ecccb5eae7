import sql from 'sql-template-tag'
import type { Database, Transaction } from '../../../base/store/store.ts'

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
 * Of the users whose installations these are, those whom the message reached on none: the delivery to each installation
 * of theirs has ended. Where one has none yet it may be on its way.
 */
export async function findUnreached(
  tx: Transaction,
  { appId, messageId, installationNos }: { appId: number; messageId: string; installationNos: readonly number[] },
): Promise<number[]> {
  const rows = await tx.query<{ user_no: number }>(
    sql`select user_no from installations
        where app_id = ${appId} and installation_no = any(${[...installationNos]}::bigint[])
        except
        select own.user_no from installations i
        join installations own on own.app_id = i.app_id and own.user_no = i.user_no
        left join deliveries d on d.app_id = own.app_id and d.message_id = ${messageId} and d.installation_no = own.installation_no
        where i.app_id = ${appId} and i.installation_no = any(${[...installationNos]}::bigint[])
          and (d.state is distinct from 'ended' or d.reason = 'unknown')`,
    'find-unreached-users',
  )
  return rows.map((row) => row.user_no)
}
