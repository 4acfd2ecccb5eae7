import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a list of any length is checked element by element',
  file: 'contract/src/schema/check.ts',
  find: 'if (excess) return { fault: excess }',
  replace: '',
  tests: ['contract/src/schema/find-excess.test.ts'],
}
