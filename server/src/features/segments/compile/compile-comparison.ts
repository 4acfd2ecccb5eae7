import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Bound, Range, Scalar, Test } from '../condition.ts'
import { wholeFrom, wholeTo } from '../whole-bounds.ts'

export type SqlType = 'timestamptz' | 'bigint' | 'double precision' | 'numeric' | 'text' | 'uuid'

/** A test of one expression, as SQL that is true where the expression has a value that passes, else false or null. */
export function compileComparison(expression: string, type: SqlType, test: Test): Sql {
  if ('exists' in test) return sql`${raw(expression)} is not null`
  if (type === 'timestamptz' || type === 'bigint') return compileWhole(expression, type, test)
  if ('in' in test) return compileIn(expression, type, test.in)
  const { from, to } = test
  const bounds: Sql[] = []
  if (from) bounds.push(compare(expression, from.isInclusive ? '>=' : '>', type, from.value))
  if (to) bounds.push(compare(expression, to.isInclusive ? '<=' : '<', type, to.value))
  return join(bounds, ' and ')
}

function compileWhole(expression: string, type: 'timestamptz' | 'bigint', test: { in: Scalar[] } | Range): Sql {
  if ('in' in test) {
    const whole = test.in.filter((value) => Number.isInteger(value))
    if (type === 'bigint') return compileIn(expression, type, whole)
    const moments = whole.map((value) =>
      compileWhole(expression, type, { from: inclusive(value), to: inclusive(value) }),
    )
    return moments.length === 0 ? raw('false') : join(moments, ' or ')
  }
  const bounds: Sql[] = []
  if (test.from) bounds.push(compare(expression, '>=', type, wholeFrom(test.from)))
  if (test.to) bounds.push(compare(expression, '<', type, wholeTo(test.to)))
  return join(bounds, ' and ')
}

const inclusive = (value: Scalar): Bound => ({ value, isInclusive: true })

function compileIn(expression: string, type: SqlType, values: Scalar[]): Sql {
  if (values.length === 0) return raw('false')
  if (values.length === 1) return compare(expression, '=', type, values[0] as Scalar)
  return sql`${raw(expression)} = any(${values.map((value) => parameter(type, value))}::${raw(type)}[])`
}

function compare(expression: string, operator: '=' | '<' | '<=' | '>' | '>=', type: SqlType, value: Scalar): Sql {
  return sql`${raw(expression)} ${raw(operator)} ${parameter(type, value)}::${raw(type)}`
}

function parameter(type: SqlType, value: Scalar): Scalar {
  if (type === 'timestamptz') return new Date(Number(value)).toISOString()
  if (type === 'bigint') return Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return value
}

/** Whether a number passes: for counts, which are 0 where nothing is stored. */
export function passes(test: Test, number: number): boolean {
  if ('exists' in test) return true
  if ('in' in test) return test.in.includes(number)
  const { from, to } = test
  if (from && !(from.isInclusive ? number >= Number(from.value) : number > Number(from.value))) return false
  return !(to && !(to.isInclusive ? number <= Number(to.value) : number < Number(to.value)))
}
