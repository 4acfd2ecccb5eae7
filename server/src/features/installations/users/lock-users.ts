import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { ensureUsers, findUserNumbers, type UserKey } from './ensure-users.ts'

export interface LockedUser {
  userNo: number
  isGuest: boolean
  /** Made in this transaction. */
  isNew: boolean
}

/**
 * These users, locked until the transaction ends: one after the other writes to what belongs to a user. Those that are
 * not there are made when `makes` says so, else undefined.
 *
 * Every writer of this folder locks in the same order, so that two never wait for each other: push tokens, then
 * installations by number, then users by number, then names of attributes.
 */
export async function lockUsers(
  tx: Transaction,
  keys: readonly (UserKey & { makes: boolean })[],
): Promise<(LockedUser | undefined)[]> {
  for (;;) {
    const numbers = await findOrMake(tx, keys)
    const locked = await lock(tx, keys, numbers)
    const result = numbers.map((userNo, index) => locked.get(`${keys[index]?.appId}/${userNo}`))
    // A user may have been deleted between the two statements; then a new one is made.
    if (keys.every((key, index) => !key.makes || result[index])) return result
  }
}

async function findOrMake(tx: Transaction, keys: readonly (UserKey & { makes: boolean })[]) {
  const numbers = await findUserNumbers(tx, keys)
  const missing = [...keys.keys()].filter((index) => keys[index]?.makes && numbers[index] === undefined)
  if (missing.length === 0) return numbers
  const made = await ensureUsers(
    tx,
    missing.map((index) => keys[index] as UserKey),
  )
  for (const [position, index] of missing.entries()) numbers[index] = made[position]
  return numbers
}

async function lock(tx: Transaction, keys: readonly UserKey[], numbers: readonly (number | undefined)[]) {
  const rows = await tx.query<{ app_id: number; user_no: number; is_guest: boolean; is_new: boolean }>(
    sql`select u.app_id, u.user_no, u.is_guest, u.created_at = peyk_now() as is_new
        from users u
        join (select distinct app_id, user_no
              from unnest(${keys.map((key) => key.appId)}::int[], ${[...numbers]}::bigint[]) as n(app_id, user_no)) k
          on u.app_id = k.app_id and u.user_no = k.user_no
        order by u.app_id, u.user_no
        for no key update of u`,
    'lock-users',
  )
  return new Map(
    rows.map((row) => [
      `${row.app_id}/${row.user_no}`,
      { userNo: row.user_no, isGuest: row.is_guest, isNew: row.is_new },
    ]),
  )
}
