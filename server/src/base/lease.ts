import sql, { type Sql } from 'sql-template-tag'

/** Whose a piece of work is, and for how long without a sign of life. */
export interface Lease {
  holder: string
  ms: number
}

export function endOf({ ms }: Lease): Sql {
  return sql`peyk_now() + ${ms} * interval '1 millisecond'`
}
