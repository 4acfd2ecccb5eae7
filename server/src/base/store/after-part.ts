import sql, { raw, type Sql } from 'sql-template-tag'

/** A condition that is always true, once this part of the statement, which returns its rows, has written all it writes. */
export function afterPart(part: string): Sql {
  return sql`(select count(*) from ${raw(part)}) >= 0`
}
