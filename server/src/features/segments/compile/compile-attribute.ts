import sql, { raw, type Sql } from 'sql-template-tag'
import type { Condition, FittedRule, Test } from '../condition.ts'
import { compileComparison } from './compile-comparison.ts'
import type { SqlRule } from './look-up.ts'

/** As much of a text as the indexes of attributes hold. */
const indexedCharacters = 100

/**
 * A value of the user; or, where the installation has the attribute as its own, only that one: also when it is of a
 * kind that takes no part.
 */
export function compileAttribute(name: string, rule: FittedRule, isOwnSomewhere: boolean): Condition<SqlRule> {
  const { kind, test, isNegated } = rule
  if (kind === undefined) return { rule: { self: raw(String(isNegated)) } }
  const value = compileValue(kind, test)
  const named = sql`x.name = ${name}`
  const user: SqlRule = {
    rows: { table: 'user_attributes', key: 'user_no', where: sql`${named} and ${value}` },
    isNegated,
  }
  if (!isOwnSomewhere) return { rule: user }
  const own = (where: Sql, isNegated: boolean): Condition<SqlRule> => ({
    rule: { rows: { table: 'installation_attributes', key: 'installation_no', where }, isNegated },
  })
  const ownValue = own(sql`${named} and ${value}`, isNegated)
  const ownAny = own(named, !isNegated)
  if (isNegated) return { all: [ownValue, { any: [{ rule: user }, ownAny] }] }
  return { any: [ownValue, { all: [{ rule: user }, ownAny] }] }
}

function compileValue(kind: NonNullable<FittedRule['kind']>, test: Test): Sql {
  if (kind === 'text') return compileText(test)
  if (kind === 'list') return 'in' in test ? sql`x.list && ${test.in}::text[]` : sql`x.list is not null`
  return sql`x.kind = ${kind} and ${compileComparison('x.number', 'double precision', test)}`
}

function compileText(test: Test): Sql {
  if (!('in' in test)) return compileComparison('x.text', 'text', test)
  const texts = test.in.map(String)
  const starts = [...new Set(texts.map(start))]
  const indexed = compileComparison(`left(x.text, ${indexedCharacters})`, 'text', { in: starts })
  const areWhole = texts.every((text) => text.length < indexedCharacters)
  return areWhole ? indexed : sql`${indexed} and ${compileComparison('x.text', 'text', { in: texts })}`
}

function start(text: string): string {
  return text.length < indexedCharacters ? text : [...text].slice(0, indexedCharacters).join('')
}
