import type { Mutant } from '../mutant.ts'

export const mutant: Mutant = {
  name: 'users are locked in the order in which a call names them',
  file: 'server/src/features/installations/lock-users.ts',
  find: `        order by u.app_id, u.user_no
        for no key`,
  replace: `        order by random()
        for no key`,
  tests: ['server/src/features/installations/write-tags.test.ts'],
}
