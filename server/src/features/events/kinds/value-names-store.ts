import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'

/** A name in an event's data, and the kind of its first use. */
export interface ValueName {
  appId: number
  key: string
  name: string
  kind: ValueKind
}

export interface FoundValueName extends ValueName {
  /** False when this transaction made it itself: it may yet be rolled back. */
  isCommitted: boolean
}

export async function findValueNames(tx: Transaction, names: readonly ValueName[]): Promise<FoundValueName[]> {
  return tx.query<FoundValueName>(
    sql`select n.app_id as "appId", n.event_key as key, n.name, n.kind,
          n.xmin is distinct from pg_current_xact_id_if_assigned()::xid as "isCommitted"
        from ${unnestRows(names, 'k', {
          app_id: ['int', (use) => use.appId],
          event_key: ['text', (use) => use.key],
          name: ['text', (use) => use.name],
        })}
        join event_value_names n on n.app_id = k.app_id and n.event_key = k.event_key and n.name = k.name`,
    'find-value-names',
  )
}

/** How many names these events have, by `app/event`. */
export async function countValueNames(tx: Transaction, names: readonly ValueName[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ key: string; count: number }>(
    sql`select k.app_id || '/' || k.event_key as key,
          (select count(*)::int from event_value_names n where n.app_id = k.app_id and n.event_key = k.event_key) as count
        from (select distinct * from ${unnestRows(names, 'k', {
          app_id: ['int', (use) => use.appId],
          event_key: ['text', (use) => use.key],
        })}) k`,
    'count-value-names',
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/** Answers those that were not there. */
export async function insertValueNames(tx: Transaction, names: readonly ValueName[]): Promise<ValueName[]> {
  return tx.query<ValueName>(
    sql`insert into event_value_names (app_id, event_key, name, kind)
        select app_id, event_key, name, kind
        from ${unnestRows(names, 'k', {
          app_id: ['int', (use) => use.appId],
          event_key: ['text', (use) => use.key],
          name: ['text', (use) => use.name],
          kind: ['text', (use) => use.kind],
        })}
        order by app_id, event_key collate "C", name collate "C"
        on conflict do nothing
        returning app_id as "appId", event_key as key, name, kind`,
    'insert-value-names',
  )
}
