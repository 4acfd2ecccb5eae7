import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'one writer locks users in the opposite order',
  file: 'server/src/features/installations/users/lock-users.ts',
  find: `        order by u.app_id, u.user_no
        for no key`,
  replace: `        order by u.app_id, u.user_no desc
        for no key`,
  tests: ['server/src/features/installations/users/lock-users.test.ts'],
}
