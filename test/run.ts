import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkRowTypes } from './row-types/check.ts'

/**
 * `npm test [-- words]`, `npm run test:all [-- words]`. A word picks the test files whose path has it, or else the tests
 * whose title has it. `--added` runs only what `test:all` adds to `npm test`. Other options are those of Vitest. When all
 * have run, the types of rows are compared with what the database answered.
 */
const given = process.argv.slice(2)
const words = given.filter((word) => !word.startsWith('-'))
const options = given.filter((word) => word.startsWith('-') && word !== '--all' && word !== '--added')
const files = globSync('{contract,server,simulator,sdk,panel,test}/**/*.test.{ts,tsx}', {
  exclude: (name) => name === 'node_modules',
})
const isPath = (word: string) => files.some((file) => file.includes(word.replace(/:\d+$/, '')))
const titles = words.filter((word) => !isPath(word))
const part = given.includes('--added') ? 'added' : given.includes('--all') ? 'all' : 'usual'
const rowsFolder =
  words.length + options.length === 0 && part !== 'added' ? mkdtempSync(join(tmpdir(), 'peyk-rows-')) : undefined
const run = spawn(
  'vitest',
  ['run', ...options, ...words.filter(isPath), ...(titles.length > 0 ? ['-t', titles.join(' ')] : [])],
  {
    stdio: 'inherit',
    env: {
      PEYK_TEST_EFFORT: part === 'usual' ? 'usual' : 'all',
      ...process.env,
      PEYK_TEST_PART: part,
      ...(rowsFolder !== undefined && { PEYK_TEST_ROWS: rowsFolder }),
    },
  },
)
// Ctrl-C goes to the runner too, which puts everything away first.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => run.kill('SIGINT'))
run.on('exit', async (code) => {
  process.exitCode = code ?? 1
  if (rowsFolder === undefined) return
  try {
    if (code === 0) await compareRows(rowsFolder)
  } finally {
    rmSync(rowsFolder, { recursive: true })
  }
})

async function compareRows(folder: string): Promise<void> {
  const { faults, compared } = await checkRowTypes(folder)
  if (faults.length > 0) process.exitCode = 1
  console.log(
    faults.length > 0
      ? `\nTypes of rows that differ from what the database answers:\n${faults.join('\n')}`
      : `\nThe types of rows of ${compared} queries fit what the database answered.`,
  )
}
