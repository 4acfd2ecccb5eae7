import { existsSync, readFileSync } from 'node:fs'
import { resolveImport } from './resolve-import.ts'

/** Imports of test files that need a database, another process, a port, or a browser. */
const outside =
  /(\/helpers|@peyk\/test)\/(database|service|programs|browser|panel)\b|'node:(child_process|net|http|http2|https|tls|dgram|cluster)'|'(pg|playwright-core|mqtt|ws)'|\binject\b/
/** Files that tests share are read like the tests. */
const support = /\.test-support\.ts$|\/test\/helpers\//

/** They compute or build for seconds, or start a process through the code that they test. */
const long =
  /\/(render-in-child|occurrences-after|number-parts|count-rows|push-size-bound|guide|panel-styles)\.test\.ts$/

const known = new Map<string, boolean>()

export function isUnitTest(file: string): boolean {
  return !file.endsWith('.long.test.ts') && !long.test(file) && !needsOutside(file)
}

function needsOutside(file: string): boolean {
  const answer = known.get(file)
  if (answer !== undefined) return answer
  // Files that import each other end here.
  known.set(file, false)
  const text = readFileSync(file, 'utf8')
  const needs =
    outside.test(text) ||
    [...text.matchAll(/from '([^']+)'/g)]
      .map(([, name]) => resolveImport(file, name as string))
      .some((path) => path !== undefined && support.test(`/${path}`) && existsSync(path) && needsOutside(path))
  known.set(file, needs)
  return needs
}
