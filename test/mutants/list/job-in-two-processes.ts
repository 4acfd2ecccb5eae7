import type { Mutant } from '../mutant.ts'

export const mutant: Mutant = {
  name: 'two processes run the same job at once',
  file: 'server/src/base/store/run-alone.ts',
  find: `    if (!row?.is_free) return false
`,
  replace: '',
  tests: ['server/src/base/store/run-alone.test.ts', 'server/src/entry/worker/runner.test.ts'],
}
