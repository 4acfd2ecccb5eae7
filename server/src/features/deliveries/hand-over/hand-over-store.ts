import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database, Transaction } from '../../../base/store/store.ts'
import { unnestRows } from '../../../base/store/unnest-rows.ts'
import type { Use } from './cap.ts'

interface OfUsers {
  appId: number
  userNos: readonly number[]
}

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

const zonesLookedAt = 3

/** The time zones of a user's installations, the one that was used last first. */
export function zonesOf(appId: number, userNo: Sql): Sql {
  return sql`array(
    select time_zone from installations
    where app_id = ${appId} and user_no = ${userNo} and time_zone is not null
    order by uninstalled_at is not null, launched_at desc, installation_no desc limit ${raw(String(zonesLookedAt))})`
}

export async function readUserZones(
  database: Database,
  appId: number,
  userNos: readonly number[],
): Promise<Map<number, string[]>> {
  const rows = await database.query<{ user_no: number; zones: string[] }>(
    sql`select k.user_no, ${zonesOf(appId, sql`k.user_no`)} as zones
        from unnest(${[...new Set(userNos)]}::bigint[]) as k(user_no)`,
    'read-user-zones',
  )
  return new Map(rows.map(({ user_no, zones }) => [user_no, zones]))
}

interface UsesRow {
  user_no: number
  message_ids: string[]
  categories: string[]
  times: Date[]
}

/**
 * What was handed over to these users lately, the oldest first. Nobody else reads or changes it until the transaction
 * ends. A user who was deleted is missing.
 */
export async function lockUses(tx: Transaction, { appId, userNos }: OfUsers): Promise<Map<number, Use[]>> {
  const found = await lockRows(tx, { appId, userNos })
  const missing = userNos.filter((userNo) => !found.has(userNo))
  if (missing.length === 0) return found
  await tx.query(
    sql`insert into recent_hand_overs (app_id, user_no)
        select app_id, user_no from users where app_id = ${appId} and user_no = any(${missing}::bigint[])
        order by user_no for key share
        on conflict do nothing`,
    'open-recent-hand-overs',
  )
  return new Map([...found, ...(await lockRows(tx, { appId, userNos: missing }))])
}

async function lockRows(tx: Transaction, { appId, userNos }: OfUsers): Promise<Map<number, Use[]>> {
  const rows = await tx.query<UsesRow>(
    sql`select user_no, message_ids, categories, times from recent_hand_overs
        where app_id = ${appId} and user_no = any(${[...userNos]}::bigint[]) order by user_no for update`,
    'lock-recent-hand-overs',
  )
  return new Map(rows.map((row) => [row.user_no, readUses(row)]))
}

function readUses({ message_ids, categories, times }: UsesRow): Use[] {
  return message_ids.map((messageId, index) => ({
    messageId,
    category: categories[index] as string,
    atMs: (times[index] as Date).getTime(),
  }))
}

export async function writeUses(
  tx: Transaction,
  appId: number,
  uses: ReadonlyMap<number, readonly Use[]>,
): Promise<void> {
  if (uses.size === 0) return
  await tx.query(
    sql`update recent_hand_overs r
        set message_ids = k.message_ids::uuid[], categories = k.categories::text[], times = k.times::timestamptz[]
        from ${unnestRows([...uses], 'k', {
          user_no: ['bigint', ([userNo]) => userNo],
          message_ids: ['text', ([, own]) => `{${own.map(({ messageId }) => messageId).join(',')}}`],
          categories: ['text', ([, own]) => `{${own.map(({ category }) => `"${category}"`).join(',')}}`],
          times: ['text', ([, own]) => `{${own.map(({ atMs }) => `"${new Date(atMs).toISOString()}"`).join(',')}}`],
        })}
        where r.app_id = ${appId} and r.user_no = k.user_no`,
    'write-recent-hand-overs',
  )
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
