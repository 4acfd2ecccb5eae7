import sql, { type Sql } from 'sql-template-tag'

/** What must hold for every row of something. The statement counts the rows and those for which it does not. */
export interface Invariant {
  name: string
  statement: Sql
}

/** `from` gives the rows, `broken` tells the wrong ones, `example` names one of them to look at. */
export function invariant(name: string, rule: { from: Sql; broken: Sql; example: Sql }): Invariant {
  return {
    name,
    statement: sql`
      select count(*) as rows, count(*) filter (where ${rule.broken}) as broken,
        min((${rule.example})::text) filter (where ${rule.broken}) as example
      from ${rule.from}`,
  }
}

/** Each row of a table leads to one of another. */
export function leadsTo(name: string, from: Sql, condition: Sql, example: Sql): Invariant {
  return invariant(name, { from, broken: sql`not exists (select from ${condition})`, example })
}
