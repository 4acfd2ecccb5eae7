import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'every password opens every app of a member',
  file: 'server/src/features/accounts/sessions/sign-in.ts',
  find: 'passwords.filter((_, index) => isMatch[index]).map(',
  replace: 'passwords.filter(() => isMatch.length >= 0).map(',
  tests: [
    'server/src/features/accounts/sessions/sessions.test.ts',
    'server/src/features/accounts/members/members.test.ts',
  ],
}
