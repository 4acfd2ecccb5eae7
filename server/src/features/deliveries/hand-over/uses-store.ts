import { type Cap, capWindowMs } from '@peyk/contract'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { Use } from './cap.ts'

interface UsesRow {
  user_no: number
  message_ids: string[]
  categories: string[]
  times: Date[]
}

/** A message that wants to be counted for a user; none where several do, which have to be counted one after the other. */
export interface Count {
  userNo: number
  use: Pick<Use, 'messageId' | 'category'> | undefined
}

export interface Counting {
  appId: number
  caps: readonly Cap[]
  at: Date
}

/**
 * Locks what was handed over to these users lately until the transaction ends, and counts a message at once for whom no
 * cap can be full and nothing is too old to be kept. Answers what the others had, the oldest first, and undefined for
 * whom it was counted. A user who was deleted is missing.
 */
export async function countUses(
  tx: Transaction,
  counting: Counting,
  counts: readonly Count[],
): Promise<Map<number, Use[] | undefined>> {
  const found = await countWhereClear(tx, counting, counts)
  const missing = counts.filter(({ userNo }) => !found.has(userNo))
  if (missing.length === 0) return found
  const opened = new Set(await openRows(tx, counting, missing))
  for (const { userNo, use } of missing) if (opened.has(userNo)) found.set(userNo, use ? undefined : [])
  const others = missing.filter(({ userNo }) => !opened.has(userNo)).map(({ userNo }) => userNo)
  if (others.length === 0) return found
  return new Map([...found, ...(await lockUses(tx, { appId: counting.appId, userNos: others }))])
}

type ClearedRow = { [Column in keyof UsesRow]: UsesRow[Column] | null } & { user_no: number }

async function countWhereClear(
  tx: Transaction,
  { appId, caps, at }: Counting,
  counts: readonly Count[],
): Promise<Map<number, Use[] | undefined>> {
  const rows = await tx.query<ClearedRow>(
    sql`with own as materialized (
          select r.*, k.message_id, k.category, coalesce(
              k.message_id <> all(r.message_ids) and (r.times = '{}' or r.times[1] > ${oldestCounted(caps, at)} and r.times[cardinality(r.times)] <= ${at})
                and ${noneFull(caps, at)}, false) as is_clear
          from ${unnestCounts(counts)} join recent_hand_overs r on r.app_id = ${appId} and r.user_no = k.user_no
          order by r.user_no for update of r
        ), counted as (
          update recent_hand_overs r
          set message_ids = own.message_ids || own.message_id, categories = own.categories || own.category, times = own.times || ${at}::timestamptz
          from own where own.is_clear and r.app_id = ${appId} and r.user_no = own.user_no
        )
        select user_no, case when not is_clear then message_ids end as message_ids,
          case when not is_clear then categories end as categories, case when not is_clear then times end as times
        from own`,
    `count-hand-overs-by-${caps.length}-caps`,
  )
  return new Map(rows.map((row) => [row.user_no, row.times === null ? undefined : readUses(row as UsesRow)]))
}

function unnestCounts(counts: readonly Count[]): Sql {
  return unnestRows(counts, 'k', {
    user_no: ['bigint', ({ userNo }) => userNo],
    message_id: ['uuid', ({ use }) => use?.messageId ?? null],
    category: ['text', ({ use }) => use?.category ?? null],
  })
}

function oldestCounted(caps: readonly Cap[], at: Date): Date {
  return new Date(at.getTime() - Math.max(...caps.map(capWindowMs)))
}

/** Of the row `r` and the category `k.category`. The times rise, so one of them tells whether as many are younger than the window. */
function noneFull(caps: readonly Cap[], at: Date): Sql {
  return join(
    caps.map(({ count, categories, window }) => {
      const since = new Date(at.getTime() - capWindowMs({ window }))
      const isYounger = sql`r.times[cardinality(r.times) - ${count}::int + 1] > ${since}`
      return sql`(${isYounger} and k.category = any(coalesce(${categories ?? null}::text[], array[k.category]))) is not true`
    }),
    ' and ',
  )
}

/** For users who have none yet. Answers those for whom it did. */
async function openRows(tx: Transaction, { appId, at }: Counting, counts: readonly Count[]): Promise<number[]> {
  const rows = await tx.query<{ user_no: number }>(
    sql`insert into recent_hand_overs (app_id, user_no, message_ids, categories, times)
        select u.app_id, u.user_no, array_remove(array[k.message_id], null), array_remove(array[k.category], null),
          case when k.message_id is null then '{}' else array[${at}::timestamptz] end
        from ${unnestCounts(counts)} join users u on u.app_id = ${appId} and u.user_no = k.user_no
        order by u.user_no for key share of u
        on conflict do nothing
        returning user_no`,
    'open-recent-hand-overs',
  )
  return rows.map((row) => row.user_no)
}

/** What was handed over to these users lately, the oldest first. Nobody else reads or changes it until the transaction ends. */
export async function lockUses(
  tx: Transaction,
  { appId, userNos }: { appId: number; userNos: readonly number[] },
): Promise<Map<number, Use[]>> {
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
