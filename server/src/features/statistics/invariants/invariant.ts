import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** What must hold for every row of something. The statement counts the rows, and those for which it does not hold. */
export interface Invariant {
  name: string
  statement: Sql | ((database: Database) => Promise<Sql>)
}

export interface Rule {
  from: Sql
  /** Tells the wrong rows. */
  broken: Sql
  /** Names a row, for who wants to look at it. */
  example: Sql
}

export function invariant(name: string, rule: Rule): Invariant {
  return { name, statement: countBroken(rule) }
}

export function countBroken({ from, broken, example }: Rule): Sql {
  return sql`
    select count(*) as rows, count(*) filter (where ${broken}) as broken,
      min((${example})::text) filter (where ${broken}) as example
    from ${from}`
}

/** Each row leads to a row of another table: `from` joins that one from the left, and `to` is null where it is missing. */
export function leadsTo(name: string, from: Sql, to: Sql, example: Sql): Invariant {
  return invariant(name, { from, broken: sql`${to} is null`, example })
}
