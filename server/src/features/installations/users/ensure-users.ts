import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface UserKey {
  appId: number
  userId: string
  isGuest?: boolean
}

/** The numbers of these users, in their order; those that were not there are made. */
export async function ensureUsers(tx: Transaction, keys: readonly UserKey[]): Promise<number[]> {
  const found = await findUserNumbers(tx, keys)
  if (found.every((userNo) => userNo !== undefined)) return found as number[]
  const missing = keys.filter((_, index) => found[index] === undefined)
  await tx.query(
    sql`insert into users (app_id, user_id, is_guest)
        select app_id, user_id, bool_and(is_guest)
        from ${unnestRows(missing, 'k', {
          app_id: ['int', (key) => key.appId],
          user_id: ['text', (key) => key.userId],
          is_guest: ['boolean', (key) => key.isGuest ?? false],
        })}
        group by app_id, user_id
        order by app_id, user_id collate "C"
        on conflict do nothing`,
    'insert-users',
  )
  return (await findUserNumbers(tx, keys)) as number[]
}

/** The same without making any: undefined for users who are not there. */
export async function findUserNumbers(
  database: Database,
  keys: readonly Pick<UserKey, 'appId' | 'userId'>[],
): Promise<(number | undefined)[]> {
  const rows = await database.query<{ user_no: number | null }>(
    sql`select u.user_no
        from ${unnestRows(
          keys,
          'k',
          {
            app_id: ['int', (key) => key.appId],
            user_id: ['text', (key) => key.userId],
          },
          { position: 'position' },
        )}
        left join users u on u.app_id = k.app_id and u.user_id = k.user_id
        order by k.position`,
    'find-user-numbers',
  )
  return rows.map((row) => row.user_no ?? undefined)
}
