import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface TagRow {
  appId: number
  userNo: number
  tag: string
  value: string | null
}

/** One for each user, in their order. */
export async function countTags(
  tx: Transaction,
  users: readonly { appId: number; userNo: number }[],
): Promise<number[]> {
  const rows = await tx.query<{ count: number }>(
    sql`select (select count(*)::int from user_tags t where t.app_id = k.app_id and t.user_no = k.user_no) as count
        from ${unnestRows(
          users,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            user_no: ['bigint', ({ userNo }) => userNo],
          },
          { position: 'place' },
        )}
        order by k.place`,
    'count-tags',
  )
  return rows.map(({ count }) => count)
}

export async function readTagNames(tx: Transaction, appId: number, userNo: number): Promise<string[]> {
  const rows = await tx.query<{ tag: string }>(
    sql`select tag from user_tags where app_id = ${appId} and user_no = ${userNo}`,
    'read-tag-names',
  )
  return rows.map(({ tag }) => tag)
}

export async function deleteTags(tx: Transaction, rows: readonly TagRow[]): Promise<void> {
  await tx.query(
    sql`delete from user_tags t using ${keysOf(rows)} as k(app_id, user_no, tag)
        where t.app_id = k.app_id and t.user_no = k.user_no and t.tag = k.tag`,
    'delete-tags',
  )
}

/** Those that are there keep their values. */
export async function insertTags(tx: Transaction, rows: readonly TagRow[]): Promise<void> {
  await tx.query(
    sql`insert into user_tags (app_id, user_no, tag)
        select app_id, user_no, tag from ${keysOf(rows)} as k(app_id, user_no, tag)
        order by app_id, user_no, tag collate "C"
        on conflict do nothing`,
    'insert-tags',
  )
}

export async function putTags(tx: Transaction, rows: readonly TagRow[]): Promise<void> {
  await tx.query(
    sql`insert into user_tags as t (app_id, user_no, tag, value)
        select app_id, user_no, tag, value
        from ${unnestRows(rows, 'k', {
          app_id: ['int', (row) => row.appId],
          user_no: ['bigint', (row) => row.userNo],
          tag: ['text', (row) => row.tag],
          value: ['text', (row) => row.value],
        })}
        order by app_id, user_no, tag collate "C"
        on conflict (app_id, user_no, tag) do update set value = excluded.value
        where t.value is distinct from excluded.value`,
    'put-tags',
  )
}

function keysOf(rows: readonly TagRow[]) {
  return sql`unnest(${rows.map((row) => row.appId)}::int[], ${rows.map((row) => row.userNo)}::bigint[],
                    ${rows.map((row) => row.tag)}::text[])`
}
