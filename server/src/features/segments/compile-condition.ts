import sql, { join, raw, type Sql } from 'sql-template-tag'
import { isUuid } from '../../base/ids.ts'
import { defaultChannel, subscriptionOf } from '../installations/channel.ts'
import { compileAttribute } from './compile-attribute.ts'
import { compileEvent } from './compile-event.ts'
import { always, compileTest, exists, never } from './compile-test.ts'
import { type Condition, type FittedRule, listRules, type Test } from './condition.ts'
import { mergeRanges } from './merge-ranges.ts'

/**
 * How alternatives are written. `or`: each installation is looked at, a good way to many of them. `union`: those of
 * each alternative are looked up, a good way to few. `left-out`: not at all, to see what the rest would cost.
 */
export type EitherForm = 'or' | 'union' | 'left-out'

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

/** A condition as SQL over `installations i`: true where it holds, else false or null. */
export function compileCondition(condition: Condition<FittedRule>, scope: CompileScope, form: EitherForm = 'or'): Sql {
  if ('rule' in condition) return compileRule(condition.rule, scope, form)
  if ('all' in condition) {
    const parts = mergeRanges(condition.all).map((part) => compileCondition(part, scope, form))
    return parts.length === 0 ? always : sql`(${join(parts, ' and ')})`
  }
  const isPlain = listRules(condition).every(isOnInstallation)
  return either(
    condition.any.map((part) => compileCondition(part, scope)),
    scope,
    isPlain ? 'or' : form,
  )
}

function either(parts: Sql[], scope: CompileScope, form: EitherForm): Sql {
  if (form === 'left-out') return always
  if (form === 'or') return sql`(${join(parts, ' or ')})`
  const found = parts.map(
    (part) => sql`select i.installation_no from installations i
      where i.app_id = ${scope.appId} and i.uninstalled_at is null and ${part}`,
  )
  return sql`i.installation_no in (${join(found, ' union ')})`
}

function isOnInstallation({ field }: FittedRule): boolean {
  return field.source.from === 'column' || field.source.from === 'channels'
}

function compileRule(rule: FittedRule, scope: CompileScope, form: EitherForm): Sql {
  const { test, isNegated } = rule
  const { source } = rule.field
  switch (source.from) {
    case 'column':
      return compileColumn(rule)
    case 'channels':
      return compileChannels(rule)
    case 'user': {
      if ('exists' in test) return isNegated ? never : always
      const users = sql`select from users u where u.app_id = ${scope.appId} and u.user_no = i.user_no`
      return exists(isNegated, sql`${users} and ${compileTest(raw('u.user_id'), 'text', test)}`)
    }
    case 'tags':
      return exists(isNegated, sql`${userTags(scope)} and ${compileTest(raw('t.tag'), 'text', test)}`)
    case 'value-tag': {
      const value = compileTest(raw('t.value'), 'text', test)
      return exists(isNegated, sql`${userTags(scope)} and t.tag = ${source.key} and ${value}`)
    }
    case 'attribute': {
      const parts = compileAttribute(source.name, rule, scope)
      if (parts.length === 1) return isNegated ? sql`not ${parts[0]}` : (parts[0] as Sql)
      return isNegated ? sql`not ${either(parts, scope, 'or')}` : either(parts, scope, form)
    }
    case 'event':
      return compileEvent(source.key, source.aggregate, rule, scope.appId)
  }
}

function userTags({ appId }: CompileScope): Sql {
  return sql`select from user_tags t where t.app_id = ${appId} and t.user_no = i.user_no`
}

function compileColumn({ field, test, isNegated }: FittedRule): Sql {
  const source = field.source as Extract<FittedRule['field']['source'], { from: 'column' }>
  if ('exists' in test && !source.isNullable) return isNegated ? never : always
  const known = source.type === 'uuid' ? uuidsOnly(test) : test
  const found = compileTest(raw(`i.${source.column}`), source.type, known)
  if (!isNegated) return sql`(${found})`
  return source.isNullable ? sql`(${found}) is not true` : sql`not (${found})`
}

/** What is no UUID is no installation's id. */
function uuidsOnly(test: Test): Test {
  return 'in' in test ? { in: test.in.filter(isUuid) } : test
}

function compileChannels({ test, isNegated }: FittedRule): Sql {
  // Everybody is on the default channel without saying so [choice 24].
  if (!('in' in test) || test.in.includes(subscriptionOf(defaultChannel))) return isNegated ? never : always
  if (isNegated) return sql`not i.subscriptions && ${test.in}::text[]`
  // The index holds only those that are not empty.
  return sql`(i.subscriptions && ${test.in}::text[] and i.subscriptions <> '{}')`
}
