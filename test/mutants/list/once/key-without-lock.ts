import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'two requests with one idempotency key run at once',
  file: 'server/src/base/idempotency/idempotency.ts',
  find: `      if (!locked?.locked) throw stillRunning()
`,
  replace: '',
  tests: ['server/src/base/idempotency/idempotency.test.ts'],
}
