import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'any number of dry runs over large audiences run at the same time',
  file: 'server/src/features/deliveries/dry-run/preview-gate.ts',
  find: 'const usual = { slots: 2, waitMs: 5_000 }',
  replace: 'const usual = { slots: 2_000, waitMs: 5_000 }',
  tests: ['server/src/features/deliveries/dry-run/preview-gate.test.ts'],
}
