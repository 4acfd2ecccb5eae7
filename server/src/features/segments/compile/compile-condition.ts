import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type Condition, type FittedRule, listRules, replaceRules } from '../condition.ts'
import { compileRule } from './compile-rule.ts'
import { type LookUpForm, lookUp, type SqlRule } from './look-up.ts'
import { mergeRanges } from './merge-ranges.ts'

/**
 * How alternatives are written. With `exists` and `in` each installation is looked at, which is fast where many
 * match; with `union` those of each alternative are looked up, which is fast where few do.
 */
export type EitherForm = LookUpForm | 'union'

export interface CompileScope {
  appId: number
  /** Attributes that some installation has as its own, which wins over its user's. */
  ownAttributes: ReadonlySet<string>
}

/** Planning a join of many tables takes longer than the join: what is beyond so many is looked up instead. */
const maxJoins = 8

/**
 * Installations that a segment can match: the app's own, unless uninstalled. `createdBy` leaves out newer ones. Use it
 * only for past audiences, because the database's clock may be behind what it was when a device registered.
 */
export function installed(appId: number, createdBy?: Date): Sql {
  const those = sql`i.app_id = ${appId} and i.uninstalled_at is null`
  if (!createdBy) return those
  // Moments count in whole milliseconds, as callers see them.
  const next = new Date(createdBy.getTime() + 1).toISOString()
  return sql`${those} and i.created_at < ${next}::timestamptz`
}

/** A condition as SQL over `installations i`: true where it holds, else false or null. */
export function compileCondition(
  condition: Condition<FittedRule>,
  { appId, ownAttributes }: CompileScope,
  form: EitherForm = 'exists',
): Sql {
  const inSql = replaceRules(mergeRanges(condition), (rule) => compileRule(rule, ownAttributes))
  return compileJoined(inSql, appId, form, { left: maxJoins })
}

/** What must hold in any case: PostgreSQL can join it, whatever the form. */
function compileJoined(condition: Condition<SqlRule>, appId: number, form: EitherForm, joins: { left: number }): Sql {
  if ('rule' in condition) {
    const tested = compileSqlRule(condition.rule, appId, 'exists')
    return 'self' in condition.rule || joins.left-- > 0 ? tested : sql`(${tested}) is true`
  }
  if ('all' in condition) return all(condition.all.map((part) => compileJoined(part, appId, form, joins)))
  if (form !== 'union' || listRules(condition).every((rule) => 'self' in rule)) {
    return compileFiltered(condition, appId, form === 'in' ? 'in' : 'exists')
  }
  const found = condition.any.map((part) => {
    const chosen = compileJoined(part, appId, 'exists', { left: maxJoins })
    return sql`select i.installation_no from installations i
      where i.app_id = ${appId} and i.uninstalled_at is null and ${chosen}`
  })
  return sql`i.installation_no in (${join(found, ' union ')})`
}

/** What is below an alternative: PostgreSQL looks it up for each installation. */
function compileFiltered(condition: Condition<SqlRule>, appId: number, form: LookUpForm): Sql {
  if ('rule' in condition) return compileSqlRule(condition.rule, appId, form)
  if ('all' in condition) return all(condition.all.map((part) => compileFiltered(part, appId, form)))
  return sql`(${join(
    condition.any.map((part) => compileFiltered(part, appId, form)),
    ' or ',
  )})`
}

function compileSqlRule(rule: SqlRule, appId: number, form: LookUpForm): Sql {
  return 'self' in rule ? rule.self : lookUp(rule.rows, rule.isNegated, appId, form)
}

function all(parts: Sql[]): Sql {
  return parts.length === 0 ? raw('true') : sql`(${join(parts, ' and ')})`
}
