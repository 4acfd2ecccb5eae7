import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a push that waited is written without another look at its installation',
  file: 'server/src/features/deliveries/senders/sender.ts',
  find: 'const staleMs = 1 * SECOND',
  replace: 'const staleMs = 100 * SECOND',
  tests: ['server/src/features/deliveries/other-user/waiting-pushes.test.ts'],
}
