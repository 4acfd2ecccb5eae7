import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'tokens can be guessed without an end',
  file: 'server/src/entry/http/gate/gate.ts',
  find: 'if (isUnknown && failures.take(request.ip) < 0)',
  replace: 'if (isUnknown && failures.take(request.ip) < Number.NEGATIVE_INFINITY)',
  tests: ['test/spec/8-rate-limits.test.ts'],
}
