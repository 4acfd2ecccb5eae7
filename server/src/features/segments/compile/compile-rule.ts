import sql, { raw } from 'sql-template-tag'
import { isUuid } from '#base/ids.ts'
import { defaultChannel, subscriptionOf } from '../../installations/channels/channel.ts'
import type { Condition, FittedRule, Test } from '../condition.ts'
import type { Source } from '../fields.ts'
import { compileAttribute } from './compile-attribute.ts'
import { compileComparison } from './compile-comparison.ts'
import { compileEvent } from './compile-event.ts'
import type { Rows, SqlRule } from './look-up.ts'

/** One rule as what SQL has to test for it. */
export function compileRule(rule: FittedRule, ownAttributes: ReadonlySet<string>): Condition<SqlRule> {
  const { test, isNegated } = rule
  const { source } = rule.field
  const ofUser = (table: Rows['table'], where: Rows['where']): Condition<SqlRule> => ({
    rule: { rows: { table, key: 'user_no', where }, isNegated },
  })
  switch (source.from) {
    case 'column':
      return { rule: compileColumn(source, rule) }
    case 'channels':
      return { rule: compileChannels(rule) }
    case 'user':
      return 'exists' in test ? constant(!isNegated) : ofUser('users', compileComparison('x.user_id', 'text', test))
    case 'tags':
      return ofUser('user_tags', compileComparison('x.tag', 'text', test))
    case 'value-tag':
      return ofUser('user_tags', sql`x.tag = ${source.key} and ${compileComparison('x.value', 'text', test)}`)
    case 'attribute':
      return compileAttribute(source.name, rule, ownAttributes.has(source.name))
    case 'event':
      return { rule: compileEvent(source.key, source.aggregate, rule) }
  }
}

function constant(holds: boolean): Condition<SqlRule> {
  return { rule: { self: raw(String(holds)) } }
}

function compileColumn(source: Extract<Source, { from: 'column' }>, { test, isNegated }: FittedRule): SqlRule {
  if ('exists' in test && !source.isNullable) return { self: raw(String(!isNegated)) }
  const found = compileComparison(`i.${source.column}`, source.type, source.type === 'uuid' ? uuidsOnly(test) : test)
  if (!isNegated) return { self: sql`(${found})` }
  return { self: source.isNullable ? sql`(${found}) is not true` : sql`not (${found})` }
}

/** What is no UUID is no installation's id. */
function uuidsOnly(test: Test): Test {
  return 'in' in test ? { in: test.in.filter(isUuid) } : test
}

function compileChannels({ test, isNegated }: FittedRule): SqlRule {
  // Everybody is on the default channel without saying so [channels.md#names].
  if (!('in' in test) || test.in.includes(subscriptionOf(defaultChannel))) return { self: raw(String(!isNegated)) }
  if (isNegated) return { self: sql`not i.subscriptions && ${test.in}::text[]` }
  // The index holds only those that are not empty.
  return { self: sql`(i.subscriptions && ${test.in}::text[] and i.subscriptions <> '{}')` }
}
