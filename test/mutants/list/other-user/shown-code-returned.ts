import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a code that was written to a connection goes back',
  file: 'server/src/features/deliveries/other-user/return-refused-codes.ts',
  find: 'and g.shown_at is null and g.installation_nos is not null',
  replace: 'and g.installation_nos is not null',
  tests: ['server/src/features/deliveries/other-user/other-user.test.ts'],
}
