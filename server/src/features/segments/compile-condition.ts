import sql, { join, raw, type Sql } from 'sql-template-tag'
import { isUuid } from '../../base/ids.ts'
import { defaultChannel, subscriptionOf } from '../installations/channel.ts'
import { compileAttribute } from './compile-attribute.ts'
import { compileEvent } from './compile-event.ts'
import { always, compileTest, exists, never } from './compile-test.ts'
import type { Condition, FittedRule, Test } from './condition.ts'

export interface CompileScope {
  appId: number
  /** Attributes that some installation has as its own, which wins over its user's. */
  ownAttributes: ReadonlySet<string>
}

/** The installations that a segment can be about: the app's own, still there, and not newer than `at` [choice 28]. */
export function installedBy(appId: number, at: Date): Sql {
  // Moments count in whole milliseconds, as callers see them.
  const next = new Date(at.getTime() + 1).toISOString()
  return sql`i.app_id = ${appId} and i.uninstalled_at is null and i.created_at < ${next}::timestamptz`
}

/** A condition as SQL over `installations i`: always true or false, never null. */
export function compileCondition(condition: Condition<FittedRule>, scope: CompileScope): Sql {
  if ('rule' in condition) return compileRule(condition.rule, scope)
  const parts = ('all' in condition ? condition.all : condition.any).map((part) => compileCondition(part, scope))
  if (parts.length === 0) return always
  if (parts.length === 1) return parts[0] as Sql
  return sql`(${join(parts, 'all' in condition ? ' and ' : ' or ')})`
}

function compileRule(rule: FittedRule, scope: CompileScope): Sql {
  const { field, test, isNegated } = rule
  const { source } = field
  switch (source.from) {
    case 'column': {
      const column = raw(`i.${source.column}`)
      if ('exists' in test && !source.isNullable) return isNegated ? never : always
      const found = compileTest(column, source.type, uuidsOnly(rule))
      if (!isNegated) return sql`(${found})`
      return source.isNullable ? sql`(${found}) is not true` : sql`not (${found})`
    }
    case 'channels':
      return compileChannels(rule)
    case 'user':
      if ('exists' in test) return isNegated ? never : always
      return exists(
        isNegated,
        sql`select from users u where u.app_id = ${scope.appId} and u.user_no = i.user_no
        and ${compileTest(raw('u.user_id'), 'text', test)}`,
      )
    case 'tags':
      return exists(
        isNegated,
        sql`select from user_tags t where t.app_id = ${scope.appId} and t.user_no = i.user_no
        and ${compileTest(raw('t.tag'), 'text', test)}`,
      )
    case 'value-tag':
      return exists(
        isNegated,
        sql`select from user_tags t where t.app_id = ${scope.appId} and t.user_no = i.user_no
        and t.tag = ${source.key} and ${compileTest(raw('t.value'), 'text', test)}`,
      )
    case 'attribute':
      return compileAttribute(source.name, rule, scope)
    case 'event':
      return compileEvent(source.key, source.aggregate, rule, scope.appId)
  }
}

/** What is no UUID is no installation's id. */
function uuidsOnly({ field, test }: FittedRule): Test {
  const isUuidColumn = field.source.from === 'column' && field.source.type === 'uuid'
  return isUuidColumn && 'in' in test ? { in: test.in.filter(isUuid) } : test
}

function compileChannels({ test, isNegated }: FittedRule): Sql {
  // Everybody is on the default channel without saying so [choice 24].
  if (!('in' in test) || test.in.includes(subscriptionOf(defaultChannel))) return isNegated ? never : always
  if (isNegated) return sql`not i.subscriptions && ${test.in}::text[]`
  return sql`(i.subscriptions && ${test.in}::text[] and i.subscriptions <> '{}')`
}
