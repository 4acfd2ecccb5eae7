import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { plainArray, quotedArray } from './plain-array.ts'

type SqlType =
  | 'int'
  | 'smallint'
  | 'bigint'
  | 'float8'
  | 'numeric'
  | 'boolean'
  | 'uuid'
  | 'text'
  | 'timestamptz'
  | 'date'
  | 'jsonb'
  | 'bytea'

type Columns<Row> = Record<string, readonly [SqlType, (row: Row, index: number) => unknown]>

/**
 * Rows as a table. Each column has a name, a type, and what it is of a row. `position` names one more column, with the
 * place of each row, from 1.
 */
export function unnestRows<Row>(
  rows: readonly Row[],
  table: string,
  columns: Columns<Row>,
  { position }: { position?: string } = {},
): Sql {
  const arrays = Object.values(columns).map(([type, read]) => sql`${pack(type, rows.map(read))}::${raw(type)}[]`)
  const names = [...Object.keys(columns), ...(position === undefined ? [] : [position])]
  const withPosition = position === undefined ? empty : raw(' with ordinality')
  return sql`unnest(${join(arrays)})${withPosition} as ${raw(`${table}(${names.join(', ')})`)}`
}

const plainTypes = new Set<SqlType>(['int', 'smallint', 'bigint', 'float8', 'numeric', 'boolean', 'uuid'])

/** In PostgreSQL's notation where that is quicker than what the driver does, and the values are such that it can be. */
function pack(type: SqlType, values: unknown[]): unknown {
  if (plainTypes.has(type) && values.every(isPlain)) return plainArray(values.map((value) => value ?? null) as number[])
  if ((type === 'text' || type === 'jsonb' || type === 'timestamptz') && values.every(isTextOrNone))
    return quotedArray(values.map((value) => value ?? null) as string[])
  return values
}

/** What means nothing else in an array: no comma or brace, and not the word NULL. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return /^(?!null$)[\w.+-]+$/i.test(value)
  return value === null || value === undefined || ['number', 'bigint', 'boolean'].includes(typeof value)
}

function isTextOrNone(value: unknown): boolean {
  return typeof value === 'string' || value === null || value === undefined
}
