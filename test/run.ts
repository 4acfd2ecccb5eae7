import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * `npm test [-- words]`, `npm run test:all [-- words]`. A word picks the test files whose path has it, or else the tests
 * whose title has it. `--added` runs only what `test:all` adds to `npm test`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, added: { type: 'boolean', default: false } },
})
const files = globSync('{contract,server,simulator,sdk,panel,test}/**/*.test.ts', {
  exclude: (name) => name === 'node_modules',
})
const isPath = (word: string) => files.some((file) => file.includes(word.replace(/:\d+$/, '')))
const titles = positionals.filter((word) => !isPath(word))
const part = values.added ? 'added' : values.all ? 'all' : 'usual'
const run = spawn(
  'vitest',
  ['run', ...positionals.filter(isPath), ...(titles.length > 0 ? ['-t', titles.join(' ')] : [])],
  {
    stdio: 'inherit',
    env: { PEYK_TEST_EFFORT: part === 'usual' ? 'usual' : 'all', ...process.env, PEYK_TEST_PART: part },
  },
)
// Ctrl-C goes to the runner too, which puts everything away first.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => run.kill('SIGINT'))
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
