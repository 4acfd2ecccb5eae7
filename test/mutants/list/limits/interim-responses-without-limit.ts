import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a receiver may send interim responses without end',
  file: 'server/src/base/outbound/exchange.ts',
  find: 'if (interimResponses > maxInterimResponses)',
  replace: 'if (false)',
  tests: ['server/src/base/outbound/call-once.test.ts'],
}
