import sql, { raw, type Sql } from 'sql-template-tag'
import type { FittedRule, Test } from '../condition.ts'
import type { Aggregate } from '../fields.ts'
import { compileComparison, passes } from './compile-comparison.ts'
import type { SqlRule } from './look-up.ts'

/** An installation has a counter for each event that it ever had. */
export function compileEvent(key: string, aggregate: Aggregate, { test, isNegated }: FittedRule): SqlRule {
  const counters = (where: Sql, isNegated: boolean): SqlRule => ({
    rows: { table: 'event_counters', key: 'installation_no', where: sql`x.event_key = ${key} and ${where}` },
    isNegated,
  })
  if (aggregate !== 'count') return counters(compileAggregate(aggregate, test), isNegated)
  if ('exists' in test) return { self: raw(String(!isNegated)) }
  // The count of what never happened is 0 [segments.md#rules]: where 0 passes, the counters that do not pass are looked for.
  const count = compileComparison('x.count', 'bigint', test)
  return passes(test, 0) ? counters(sql`not (${count})`, !isNegated) : counters(count, isNegated)
}

function compileAggregate(aggregate: Exclude<Aggregate, 'count'>, test: Test): Sql {
  switch (aggregate) {
    case 'first':
      return sql`(${compileComparison('x.first_at', 'timestamptz', test)})`
    case 'last':
      return sql`(${compileComparison('x.last_at', 'timestamptz', test)})`
    case 'avg':
      return sql`x.value_count > 0 and ${compileComparison('x.value_sum / nullif(x.value_count, 0)', 'numeric', test)}`
    default:
      return sql`x.value_count > 0 and ${compileComparison(`x.${valueColumns[aggregate]}`, 'numeric', test)}`
  }
}

const valueColumns = { sum: 'value_sum', min: 'value_min', max: 'value_max', lastValue: 'value_last' } as const
