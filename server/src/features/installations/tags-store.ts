import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'

export interface TagRow {
  appId: number
  userNo: number
  tag: string
  value: string | null
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
        from unnest(${rows.map((row) => row.appId)}::int[], ${rows.map((row) => row.userNo)}::bigint[],
                    ${rows.map((row) => row.tag)}::text[], ${rows.map((row) => row.value)}::text[]) as k(app_id, user_no, tag, value)
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
