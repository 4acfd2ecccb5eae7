import sql, { raw, type Sql } from 'sql-template-tag'
import type { CompileScope } from './compile-condition.ts'
import { compileTest, exists } from './compile-test.ts'
import type { FittedRule, Scalar, Test } from './condition.ts'

/** As much of a text as the indexes of attributes hold. */
const indexedCharacters = 100

/** An installation's own attribute wins over its user's, also when its value is of a kind that takes no part. */
export function compileAttribute(name: string, rule: FittedRule, { appId, ownAttributes }: CompileScope): Sql {
  const { kind, test, isNegated } = rule
  if (kind === undefined) return raw(String(isNegated))
  const found = compileValue(kind, test)
  const byUser = sql`select from user_attributes a
    where a.app_id = ${appId} and a.user_no = i.user_no and a.name = ${name}`
  if (!ownAttributes.has(name)) return exists(isNegated, sql`${byUser} and ${found}`)
  const own = sql`select from installation_attributes a
    where a.app_id = ${appId} and a.installation_no = i.installation_no and a.name = ${name}`
  const either = sql`(exists (${own} and ${found}) or exists (${byUser} and ${found}) and not exists (${own}))`
  return isNegated ? sql`not ${either}` : either
}

function compileValue(kind: NonNullable<FittedRule['kind']>, test: Test): Sql {
  if (kind === 'text') return compileText(test)
  if (kind === 'list') return 'in' in test ? sql`a.list && ${test.in}::text[]` : sql`a.list is not null`
  return sql`a.kind = ${kind} and ${compileTest(raw('a.number'), 'double precision', test)}`
}

function compileText(test: Test): Sql {
  if (!('in' in test)) return compileTest(raw('a.text'), 'text', test)
  const texts = test.in.map(String)
  const indexed = compileTest(raw(`left(a.text, ${indexedCharacters})`), 'text', { in: [...new Set(texts.map(start))] })
  const isWhole = texts.every((text) => [...text].length < indexedCharacters)
  return isWhole ? indexed : sql`${indexed} and ${compileTest(raw('a.text'), 'text', { in: texts })}`
}

function start(text: string): Scalar {
  return text.length < indexedCharacters ? text : [...text].slice(0, indexedCharacters).join('')
}
