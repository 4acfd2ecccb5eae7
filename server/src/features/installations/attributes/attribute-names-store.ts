import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { ValueKind } from './value-kind.ts'

export interface AttributeNameUse {
  appId: number
  name: string
  kind: ValueKind
  onInstallation: boolean
}

interface Row {
  app_id: number
  name: string
  kind: ValueKind
  on_installation: boolean
}

export function attributeNameKey({ appId, name }: { appId: number; name: string }): string {
  return `${appId}/${name}`
}

/** The kind of each name's first use ever; for names that are new, the first among these uses. */
export async function recordAttributeNames(
  tx: Transaction,
  uses: readonly AttributeNameUse[],
): Promise<Map<string, ValueKind>> {
  const first = new Map<string, AttributeNameUse>()
  for (const use of uses) {
    const earlier = first.get(attributeNameKey(use))
    first.set(
      attributeNameKey(use),
      earlier ? { ...earlier, onInstallation: earlier.onInstallation || use.onInstallation } : use,
    )
  }
  let known = await readNames(tx, [...first.values()])
  const news = [...first].filter(([key, use]) => {
    const row = known.get(key)
    return !row || (use.onInstallation && !row.on_installation)
  })
  if (news.length > 0) {
    await insertNames(
      tx,
      news.map(([, use]) => use),
    )
    known = await readNames(tx, [...first.values()])
  }
  return new Map([...known].map(([key, row]) => [key, row.kind]))
}

async function readNames(tx: Transaction, uses: readonly AttributeNameUse[]): Promise<Map<string, Row>> {
  const rows = await tx.query<Row>(
    sql`select n.app_id, n.name, n.kind, n.on_installation
        from ${unnestRows(uses, 'k', { app_id: ['int', (use) => use.appId], name: ['text', (use) => use.name] })}
        join attribute_names n on n.app_id = k.app_id and n.name = k.name`,
    'read-attribute-names',
  )
  return new Map(rows.map((row) => [attributeNameKey({ appId: row.app_id, name: row.name }), row]))
}

async function insertNames(tx: Transaction, uses: readonly AttributeNameUse[]): Promise<void> {
  await tx.query(
    sql`insert into attribute_names as n (app_id, name, kind, on_installation)
        select app_id, name, kind, on_installation
        from ${unnestRows(uses, 'k', {
          app_id: ['int', (use) => use.appId],
          name: ['text', (use) => use.name],
          kind: ['text', (use) => use.kind],
          on_installation: ['boolean', (use) => use.onInstallation],
        })}
        order by app_id, name collate "C"
        on conflict (app_id, name) do update set on_installation = true
        where excluded.on_installation and not n.on_installation`,
    'insert-attribute-names',
  )
}
