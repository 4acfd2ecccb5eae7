import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a holder whose lease has ended still says what became of a webhook call',
  file: 'server/src/features/webhooks/calls/calls-store.ts',
  find: "where c.state = 'waiting' and c.lease_holder = ${holder}",
  replace: "where c.state = 'waiting'",
  tests: ['server/src/features/webhooks/calls/calls-store.test.ts'],
}
