import sql, { raw } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { AttributeValue, OwnerKind } from './attribute-operation.ts'
import type { AttributeSize } from './attribute-size.ts'
import { readTypedValue, type ValueKind } from './value-kind.ts'

/** Attributes belong to a user or to one installation: two tables of one shape. */
const tables = {
  user: { table: raw('user_attributes'), owner: raw('user_no') },
  installation: { table: raw('installation_attributes'), owner: raw('installation_no') },
} as const

export interface AttributeKey {
  appId: number
  ownerNo: number
  name: string
}

export interface StoredAttribute extends AttributeKey {
  value: AttributeValue
  /** It was set by a client key in an app that did not verify identities. */
  isUnverified: boolean
}

export async function readAttributeValues(
  tx: Transaction,
  kind: OwnerKind,
  keys: readonly AttributeKey[],
): Promise<StoredAttribute[]> {
  const { table, owner } = tables[kind]
  return tx.query<StoredAttribute>(
    sql`select a.app_id as "appId", a.${owner} as "ownerNo", a.name, a.value, coalesce(a.is_unverified, false) as "isUnverified"
        from ${keysOf(keys)} as k(app_id, owner_no, name)
        join ${table} a on a.app_id = k.app_id and a.${owner} = k.owner_no and a.name = k.name`,
    `read-${kind}-attributes`,
  )
}

export function readAttributeSizes(
  tx: Transaction,
  kind: OwnerKind,
  owners: readonly Omit<AttributeKey, 'name'>[],
): Promise<(Omit<AttributeKey, 'name'> & AttributeSize)[]> {
  const { table, owner } = tables[kind]
  return tx.query<Omit<AttributeKey, 'name'> & AttributeSize>(
    sql`select k.app_id as "appId", k.owner_no as "ownerNo", count(*)::int as count,
          sum(octet_length(a.name) + octet_length(a.value::text))::float8 as bytes
        from (select distinct * from ${unnestRows(owners, 'k', {
          app_id: ['int', ({ appId }) => appId],
          owner_no: ['bigint', ({ ownerNo }) => ownerNo],
        })}) k
        join ${table} a on a.app_id = k.app_id and a.${owner} = k.owner_no
        group by 1, 2`,
    `read-${kind}-attribute-sizes`,
  )
}

export async function deleteAttributes(tx: Transaction, kind: OwnerKind, keys: readonly AttributeKey[]): Promise<void> {
  const { table, owner } = tables[kind]
  await tx.query(
    sql`delete from ${table} a using ${keysOf(keys)} as k(app_id, owner_no, name)
        where a.app_id = k.app_id and a.${owner} = k.owner_no and a.name = k.name`,
    `delete-${kind}-attributes`,
  )
}

export interface AttributeRow extends StoredAttribute {
  /** The kind of the name's first use. */
  nameKind: ValueKind
}

/** Only a value of its name's kind gets the columns that segments look at [users-and-events.md#attributes]. */
export async function putAttributes(tx: Transaction, kind: OwnerKind, rows: readonly AttributeRow[]): Promise<void> {
  const { table, owner } = tables[kind]
  const typed = rows.map((row) => readTypedValue(row.value))
  const inSegments = rows.map((row, index) => (typed[index]?.kind === row.nameKind ? typed[index] : undefined))
  await tx.query(
    sql`insert into ${table} as a (app_id, ${owner}, name, kind, number, text, list, value, is_unverified)
        select app_id, owner_no, name, kind, number, text,
          case when list is not null then array(select jsonb_array_elements_text(list)) end, value, nullif(is_unverified, false)
        from unnest(${rows.map((row) => row.appId)}::int[], ${rows.map((row) => row.ownerNo)}::bigint[],
                    ${rows.map((row) => row.name)}::text[], ${typed.map((value) => value?.kind)}::text[],
                    ${inSegments.map((value) => value?.number ?? null)}::float8[], ${inSegments.map((value) => value?.text ?? null)}::text[],
                    ${inSegments.map((value) => (value?.list ? JSON.stringify(value.list) : null))}::jsonb[],
                    ${rows.map((row) => JSON.stringify(row.value))}::jsonb[], ${rows.map((row) => row.isUnverified)}::boolean[])
             as k(app_id, owner_no, name, kind, number, text, list, value, is_unverified)
        order by app_id, owner_no, name collate "C"
        on conflict (app_id, ${owner}, name) do update
        set kind = excluded.kind, number = excluded.number, text = excluded.text, list = excluded.list, value = excluded.value,
          is_unverified = excluded.is_unverified`,
    `put-${kind}-attributes`,
  )
}

function keysOf(keys: readonly AttributeKey[]) {
  return sql`unnest(${keys.map((key) => key.appId)}::int[], ${keys.map((key) => key.ownerNo)}::bigint[],
                    ${keys.map((key) => key.name)}::text[])`
}
