import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'any hash proves any user',
  file: 'server/src/features/installations/users/user-hash.ts',
  find: `  return timingSafeEqual(createHmac('sha256', secret).update(userId).digest(), Buffer.from(userHash, 'hex'))
`,
  replace: `  return timingSafeEqual(createHmac('sha256', secret).update(userId).digest().fill(0), Buffer.alloc(32))
`,
  tests: [
    'server/src/features/installations/register/update-installation.test.ts',
    'test/spec/public-client-key.test.ts',
  ],
}
