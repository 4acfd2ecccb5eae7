import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an idempotency key answers for another body',
  file: 'server/src/base/idempotency/idempotency.ts',
  find: 'if (!row.body_hash.equals(request.bodyHash)) {',
  replace: 'if (row.body_hash.length === 0) {',
  tests: ['server/src/base/idempotency/idempotency.test.ts'],
}
