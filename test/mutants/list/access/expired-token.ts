import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an expired token works',
  file: 'server/src/features/accounts/access-tokens/find-token.ts',
  find: ' and (t.expires_at is null or t.expires_at > peyk_now())',
  replace: '',
  tests: ['server/src/features/accounts/accounts.test.ts', 'test/spec/5-authentication.test.ts'],
}
