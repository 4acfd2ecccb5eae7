import sql, { raw, type Sql } from 'sql-template-tag'
import { always, compileTest, exists, never, passes } from './compile-test.ts'
import type { FittedRule, Test } from './condition.ts'
import type { Aggregate } from './fields.ts'

/** An installation has a counter for each event that it ever had. */
export function compileEvent(key: string, aggregate: Aggregate, rule: FittedRule, appId: number): Sql {
  const { test, isNegated } = rule
  const counter = sql`select from event_counters c
    where c.app_id = ${appId} and c.event_key = ${key} and c.installation_no = i.installation_no`
  if (aggregate !== 'count') return exists(isNegated, sql`${counter} and ${compileAggregate(aggregate, test)}`)
  if ('exists' in test) return isNegated ? never : always
  // The count of what never happened is 0 [choice 27]: where 0 passes, the counters that do not pass are looked for.
  const count = compileTest(raw('c.count'), 'bigint', test)
  return passes(test, 0)
    ? exists(!isNegated, sql`${counter} and not (${count})`)
    : exists(isNegated, sql`${counter} and ${count}`)
}

function compileAggregate(aggregate: Exclude<Aggregate, 'count'>, test: Test): Sql {
  switch (aggregate) {
    case 'first':
      return compileTest(raw('c.first_at'), 'timestamptz', test)
    case 'last':
      return compileTest(raw('c.last_at'), 'timestamptz', test)
    case 'avg':
      return sql`c.value_count > 0 and ${compileTest(raw('(c.value_sum / nullif(c.value_count, 0))'), 'numeric', test)}`
    default:
      return sql`c.value_count > 0 and ${compileTest(raw(`c.${valueColumns[aggregate]}`), 'numeric', test)}`
  }
}

const valueColumns = { sum: 'value_sum', min: 'value_min', max: 'value_max', lastValue: 'value_last' } as const
