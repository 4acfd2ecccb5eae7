import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCluster } from '../helpers/database/database-cluster.ts'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { applyMutant } from './apply-mutant.ts'
import { copyTree } from './copy-tree.ts'
import { loadMutants } from './load-mutants.ts'
import { runTests } from './run-tests.ts'

/**
 * Puts one deliberate fault after the other into a copy of the tree, and runs the tests that should catch it.
 *
 *   npm run test:mutants                     all
 *   npm run test:mutants -- token backup     those whose name has one of the words
 *   npm run test:mutants -- --check          only whether their places are still there
 *   npm run test:mutants -- --trust          without looking first whether the tests pass as they are
 *
 * Ends with 1 when one survives, or is stale because its place has changed.
 */
const root = join(import.meta.dirname, '../..')
const words = process.argv.slice(2)
const isCheck = words.includes('--check')
const isTrusting = words.includes('--trust')
const mutants = await loadMutants(words.filter((word) => !word.startsWith('--')))
const say = (text: string) => process.stdout.write(`${text}\n`)

const stale: string[] = []
for (const { id, mutant } of mutants) {
  const text = await readFile(join(root, mutant.file), 'utf8').catch(() => '')
  if (applyMutant(text, mutant) === undefined) stale.push(`${id} (${mutant.file})`)
}
for (const place of stale) say(`STALE     ${place}: what it replaces is not there exactly once`)
const failed = isCheck ? [] : await runAll()
say(`${mutants.length} mutants: ${isCheck ? '' : `${failed.length} survived or broke, `}${stale.length} stale.`)
process.exit(failed.length + stale.length === 0 && mutants.length > 0 ? 0 : 1)

async function runAll(): Promise<string[]> {
  const copy = join(await realpath(await makeGuardedFolder('peyk-mutants-')), 'tree')
  await copyTree(root, copy)
  const cluster = await openCluster()
  const wrong: string[] = []
  try {
    if (!isTrusting && !(await areSound(copy, cluster.url))) return ['nothing was tried']
    for (const { id, mutant } of mutants) {
      const verdict = await tryMutant(copy, mutant, cluster.url)
      if (!verdict.isCaught) wrong.push(id)
      say(`${verdict.word.padEnd(9)} ${id}: ${mutant.name}${verdict.by ? `\n          by ${verdict.by}` : ''}`)
    }
  } finally {
    await cluster.stop()
    await rm(copy, { recursive: true, force: true })
  }
  return wrong
}

/** A test that fails anyway catches nothing. */
async function areSound(copy: string, databaseUrl: string): Promise<boolean> {
  const files = [...new Set(mutants.flatMap(({ mutant }) => mutant.tests))]
  const { isPassed, failed: found, output } = await runTests(copy, files, databaseUrl)
  if (isPassed) say(`sound     ${files.length} test files pass without any fault`)
  else say(`The tests do not pass without any fault:\n${found.join('\n') || output.slice(-3_000)}`)
  return isPassed
}

async function tryMutant(copy: string, mutant: (typeof mutants)[number]['mutant'], databaseUrl: string) {
  const path = join(copy, mutant.file)
  const text = await readFile(path, 'utf8')
  const changed = applyMutant(text, mutant)
  if (changed === undefined) return { word: 'STALE', isCaught: true, by: undefined }
  await writeFile(path, changed)
  try {
    const { isPassed, failed: found, output } = await runTests(copy, mutant.tests, databaseUrl)
    if (isPassed) return { word: 'SURVIVED', isCaught: false, by: undefined }
    if (found.length === 0) return { word: 'BROKE', isCaught: false, by: output.slice(-2_000) }
    return { word: 'caught', isCaught: true, by: found[0] }
  } finally {
    await writeFile(path, text)
  }
}
