import sql, { raw, type Sql } from 'sql-template-tag'
import type { CompileScope } from './compile-condition.ts'
import { compileTest, never } from './compile-test.ts'
import type { FittedRule, Test } from './condition.ts'

/** As much of a text as the indexes of attributes hold. */
const indexedCharacters = 100

/**
 * Where the attribute passes the test: one of the parts is true. An installation's own attribute wins over its user's,
 * also when its value is of a kind that takes no part.
 */
export function compileAttribute(name: string, { kind, test }: FittedRule, scope: CompileScope): Sql[] {
  if (kind === undefined) return [never]
  const passing = compileValue(kind, test)
  const byUser = sql`exists (select from user_attributes a
    where a.app_id = ${scope.appId} and a.user_no = i.user_no and a.name = ${name} and ${passing})`
  if (!scope.ownAttributes.has(name)) return [byUser]
  const own = sql`select from installation_attributes a
    where a.app_id = ${scope.appId} and a.installation_no = i.installation_no and a.name = ${name}`
  return [sql`exists (${own} and ${passing})`, sql`(${byUser} and not exists (${own}))`]
}

function compileValue(kind: NonNullable<FittedRule['kind']>, test: Test): Sql {
  if (kind === 'text') return compileText(test)
  if (kind === 'list') return 'in' in test ? sql`a.list && ${test.in}::text[]` : sql`a.list is not null`
  return sql`a.kind = ${kind} and ${compileTest(raw('a.number'), 'double precision', test)}`
}

function compileText(test: Test): Sql {
  if (!('in' in test)) return compileTest(raw('a.text'), 'text', test)
  const texts = test.in.map(String)
  const starts = [...new Set(texts.map(start))]
  const indexed = compileTest(raw(`left(a.text, ${indexedCharacters})`), 'text', { in: starts })
  const isWhole = starts.every((text) => text.length < indexedCharacters)
  return isWhole ? indexed : sql`${indexed} and ${compileTest(raw('a.text'), 'text', { in: texts })}`
}

function start(text: string): string {
  return text.length < indexedCharacters ? text : [...text].slice(0, indexedCharacters).join('')
}
