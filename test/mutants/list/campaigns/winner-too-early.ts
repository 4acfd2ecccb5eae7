import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a winner is decided while the test is still being handed over',
  file: 'server/src/features/deliveries/variants/find-winner.ts',
  find: 'if (isOpen) return { waitsUntil: new Date(at.getTime() + afterMs) }',
  replace: '',
  tests: ['server/src/features/deliveries/variants/find-winner.test.ts'],
}
