import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

/**
 * `npm test [-- words]`, `npm run test:all [-- words]`. A word picks the test files whose path has it, or else the tests
 * whose title has it. `--added` runs only what `test:all` adds to `npm test`. Other options are those of Vitest.
 */
const given = process.argv.slice(2)
const words = given.filter((word) => !word.startsWith('-'))
const options = given.filter((word) => word.startsWith('-') && word !== '--all' && word !== '--added')
const files = globSync('{contract,server,simulator,sdk,panel,test}/**/*.test.ts', {
  exclude: (name) => name === 'node_modules',
})
const isPath = (word: string) => files.some((file) => file.includes(word.replace(/:\d+$/, '')))
const titles = words.filter((word) => !isPath(word))
const part = given.includes('--added') ? 'added' : given.includes('--all') ? 'all' : 'usual'
const run = spawn(
  'vitest',
  ['run', ...options, ...words.filter(isPath), ...(titles.length > 0 ? ['-t', titles.join(' ')] : [])],
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
