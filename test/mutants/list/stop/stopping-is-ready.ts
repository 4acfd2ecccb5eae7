import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a stopping process is ready until it closes its port',
  file: 'server/src/entry/http/operations/operations.ts',
  find: 'if (isDraining()) throw',
  replace: 'if (isDraining() && false) throw',
  tests: ['test/e2e/rolling-restart.test.ts'],
}
