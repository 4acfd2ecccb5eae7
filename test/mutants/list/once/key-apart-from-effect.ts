import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an idempotency key is kept although its effect was undone',
  file: 'server/src/base/idempotency/idempotency.ts',
  find: 'await keepAnswer({ ...ctx, tx }, request, answer)',
  replace: 'await keepAnswer(ctx, request, answer)',
  tests: ['server/src/base/idempotency/idempotency.test.ts'],
}
