import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'passwords of strangers hold up members who return',
  file: 'server/src/features/accounts/sessions/sign-in-delay.ts',
  find: 'isKnown: this.known.has(both)',
  replace: 'isKnown: false',
  tests: ['server/src/features/accounts/sessions/sessions.test.ts'],
}
