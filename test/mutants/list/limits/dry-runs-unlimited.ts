import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'any number of dry runs over large audiences run at the same time',
  file: 'server/src/features/deliveries/dry-run/preview-send.ts',
  find: 'if (!isLimited) return',
  replace: 'if (isLimited || !isLimited) return',
  tests: ['server/src/features/deliveries/dry-run/preview-gate.test.ts'],
}
