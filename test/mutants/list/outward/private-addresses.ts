import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'calls from outside may go to a private network',
  file: 'server/src/base/outbound/is-public-address.ts',
  find: `  ['10.0.0.0', 8],
`,
  replace: '',
  tests: ['server/src/base/outbound/is-public-address.test.ts'],
}
