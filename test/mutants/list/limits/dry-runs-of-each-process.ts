import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'every process runs as many dry runs over large audiences as the service may',
  file: 'server/src/features/deliveries/dry-run/preview-gate.ts',
  find: 'return taken.length > 0',
  replace: 'return taken.length >= 0',
  tests: ['server/src/features/deliveries/dry-run/preview-gate.test.ts'],
}
