import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'only the first address of a host is looked at',
  file: 'server/src/base/outbound/check-outbound.ts',
  find: 'if (!addresses.every(isPublicAddress))',
  replace: 'if (!isPublicAddress(first))',
  tests: ['server/src/base/outbound/check-outbound.test.ts'],
}
