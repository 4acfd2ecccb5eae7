import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a session opens apps that its password does not',
  file: 'server/src/features/accounts/sessions/find-session.ts',
  find: `
          and (s.app_ids is null or ma.app_id = any(s.app_ids))`,
  replace: '',
  tests: [
    'server/src/features/accounts/members/members.test.ts',
    'server/src/features/accounts/sessions/sessions.test.ts',
  ],
}
