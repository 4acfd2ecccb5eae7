import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a call outwards may hold a database connection',
  file: 'server/src/base/outbound/refuse-in-transaction.ts',
  find: 'if (connectionScope().isInTransaction) throw',
  replace: 'if (connectionScope().appId === -1) throw',
  tests: ['server/src/base/outbound/refuse-in-transaction.test.ts'],
}
