import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'one app can take all database connections',
  file: 'server/src/base/store/pool/app-shares.ts',
  find: 'if (share.used < this.limits.connections) share.used++',
  replace: 'if (share.used >= 0) share.used++',
  tests: ['server/src/base/store/pool/app-shares.test.ts'],
}
