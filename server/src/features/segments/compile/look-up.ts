import sql, { raw, type Sql } from 'sql-template-tag'

/** Rows `x` of another table that belong to an installation `i`, or to its user. */
export interface Rows {
  table: 'users' | 'user_tags' | 'user_attributes' | 'installation_attributes' | 'event_counters'
  key: 'user_no' | 'installation_no'
  where: Sql
}

/** What SQL tests for a rule: the installation itself, or whether there are rows of its. */
export type SqlRule = { self: Sql } | { rows: Rows; isNegated: boolean }

/**
 * Two ways to say that there are such rows. PostgreSQL makes one join of both, except among alternatives: there `in`
 * runs on all processors but only while the rows fit in memory, and `exists` always works.
 */
export type LookUpForm = 'exists' | 'in'

export function lookUp({ table, key, where }: Rows, isNegated: boolean, appId: number, form: LookUpForm): Sql {
  const from = sql`from ${raw(table)} x where x.app_id = ${appId} and ${where}`
  const found =
    form === 'in'
      ? sql`i.${raw(key)} in (select x.${raw(key)} ${from})`
      : sql`exists (select ${from} and x.${raw(key)} = i.${raw(key)})`
  return isNegated ? sql`not ${found}` : found
}
