import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'changes of user that are not committed are numbered by no lock',
  file: 'server/src/features/installations/users/user-changes-store.ts',
  find: 'on conflict (app_id) do update set newest = a.newest + 1',
  replace: 'on conflict (app_id) do update set newest = a.newest',
  tests: ['server/src/features/deliveries/other-user/other-user.test.ts'],
}
