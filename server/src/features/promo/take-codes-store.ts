import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'
import type { CodesWanted } from './take-codes.ts'

export interface ActiveSet {
  appId: number
  setNo: number
  takenUpTo: string
}

/** Two takers for one message follow one another, so that none gives a second code to a user of the first. */
export async function lockMessage(tx: Transaction, { appId, messageId }: CodesWanted): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`promo-message ${appId} ${messageId}`}, 0))`,
    'promo-lock-message',
  )
}

/** Those who were not deleted since they were read: who is gone gets no code. */
export async function withoutForgotten(tx: Transaction, { appId, userNos }: CodesWanted): Promise<readonly number[]> {
  const rows = await tx.query<{ user_no: number }>(
    sql`select user_no from forgotten_users where app_id = ${appId} and user_no = any(${userNos}::bigint[])`,
    'promo-find-forgotten',
  )
  const forgotten = new Set(rows.map((row) => row.user_no))
  return forgotten.size === 0 ? userNos : userNos.filter((userNo) => !forgotten.has(userNo))
}

export function listGivenCodes(tx: Transaction, { appId, messageId, userNos }: CodesWanted) {
  return tx.query<{ user_no: number; code: string }>(
    sql`select user_no, code from promo_given
        where app_id = ${appId} and message_id = ${messageId} and user_no = any(${userNos}::bigint[])`,
    'promo-list-given',
  )
}

/** A set that is replaced while we wait for its lock is found no more, although another stands in its place: look again. */
export async function lockActiveSet(tx: Transaction, appId: number, trackId: string): Promise<ActiveSet | undefined> {
  for (;;) {
    const [set] = await tx.query<{ set_no: number; taken_up_to: string }>(
      sql`select set_no, taken_up_to from promo_sets
          where app_id = ${appId} and track_id = ${trackId} and state = 'active' for update`,
      'promo-lock-set',
    )
    if (set) return { appId, setNo: set.set_no, takenUpTo: set.taken_up_to }
    const other = await tx.query(
      sql`select from promo_sets where app_id = ${appId} and track_id = ${trackId} and state = 'active'`,
      'promo-find-set',
    )
    if (other.length === 0) return undefined
  }
}

export function readNextCodes(tx: Transaction, { appId, setNo }: ActiveSet, after: string, limit: number) {
  return tx.query<{ code: string; is_given: boolean }>(
    sql`with next as materialized (
          select code from promo_codes where app_id = ${appId} and set_no = ${setNo} and code > ${after} order by code limit ${limit})
        select code, exists (select from promo_given g where g.app_id = ${appId} and g.code = next.code offset 0) as is_given
        from next order by code`,
    'promo-read-next',
  )
}

/** Pairs codes with users; a code that somebody else gives at this moment is left out. */
export function giveCodes(
  tx: Transaction,
  { appId, messageId }: CodesWanted,
  { setNo }: ActiveSet,
  codes: string[],
  users: number[],
) {
  return tx.query<{ user_no: number; code: string }>(
    sql`insert into promo_given (app_id, code, message_id, user_no, set_no)
        select ${appId}, code, ${messageId}, user_no, ${setNo}
        from unnest(${codes}::text[], ${users.slice(0, codes.length)}::bigint[]) as pair(code, user_no)
        on conflict do nothing returning user_no, code`,
    'promo-give',
  )
}

export async function moveTakenUpTo(
  tx: Transaction,
  { appId, setNo }: ActiveSet,
  takenUpTo: string,
  given: number,
): Promise<void> {
  await tx.query(
    sql`update promo_sets set taken_up_to = ${takenUpTo}, given = given + ${given} where app_id = ${appId} and set_no = ${setNo}`,
    'promo-move-taken',
  )
}
