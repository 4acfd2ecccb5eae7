import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a bad row fails its neighbours of the same batch',
  file: 'server/src/base/batch.ts',
  find: 'isOfStore(error) || batch.length === 1',
  replace: 'isOfStore(error) || batch.length > 0',
  tests: ['server/src/base/batch.test.ts'],
}
