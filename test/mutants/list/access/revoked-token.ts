import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a revoked token works',
  file: 'server/src/features/accounts/access-tokens/find-token.ts',
  find: ' and t.revoked_at is null',
  replace: '',
  tests: ['server/src/features/accounts/accounts.test.ts'],
}
