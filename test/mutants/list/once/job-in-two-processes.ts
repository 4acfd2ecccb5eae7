import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'two processes run the same job at once',
  file: 'server/src/base/store/run-alone.ts',
  find: 'if (!giveBack) return false',
  replace: 'if (!giveBack) return work().then(() => true)',
  tests: ['server/src/base/store/run-alone.test.ts', 'server/src/entry/worker/runner.test.ts'],
}
