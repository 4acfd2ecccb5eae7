import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { attributeIn } from './message-variables.ts'

/** A variable without a fallback, and how many installations have no value for it. */
export interface MissingValue {
  variable: string
  count: number
}

const mostCounted = 10

/** Of the installations that `found` (preview-audience.ts) has for the message, or of those among them with these languages. */
export async function countMissingValues(
  database: Database,
  appId: number,
  { found, position, written }: { found: Sql; position: number; written?: (string | null)[] | undefined },
  unguarded: readonly string[],
): Promise<MissingValue[]> {
  const names = unguarded
    .filter((variable) => variable !== 'user.id')
    .flatMap(attributeIn)
    .slice(0, mostCounted)
  if (names.length === 0) return []
  const hasNoValue = (table: Sql, owner: Sql) => sql`not exists (
    select from ${table} a
    where a.app_id = ${appId} and a.${owner} = f.${owner} and a.name = asked.name and a.value <> '""')`
  const ofLanguages = written
    ? sql`and coalesce(f.language, '') = any(${written.map((language) => language ?? '')}::text[])`
    : empty
  const rows = await database.query<{ name: string; count: number }>(sql`
    select asked.name, count(*) as count
    from unnest(${names}::text[]) as asked(name) cross join (${found}) f
    where f.position = ${position} and f.is_member ${ofLanguages}
      and ${hasNoValue(sql`user_attributes`, sql`user_no`)}
      and ${hasNoValue(sql`installation_attributes`, sql`installation_no`)}
    group by asked.name order by count desc, asked.name`)
  return rows.map(({ name, count }) => ({ variable: `user.${name}`, count }))
}
