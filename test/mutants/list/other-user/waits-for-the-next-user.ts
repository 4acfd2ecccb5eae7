import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what was decided for one user is handed over to the next one on the device',
  file: 'server/src/features/deliveries/other-user/decided-for.ts',
  find: 'return sql`coalesce(i.user_change > ${after}, false)`',
  replace: 'return sql`(false and i.user_change > ${after})`',
  tests: ['server/src/features/deliveries/other-user/other-user.test.ts'],
}
