import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'codes that are added before the last one given are never given',
  file: 'server/src/features/promo/add-to-set.ts',
  find: `  await offerPassed(tx, set, '', takenUpTo)
`,
  replace: '',
  tests: ['server/src/features/promo/add-codes.test.ts'],
}
