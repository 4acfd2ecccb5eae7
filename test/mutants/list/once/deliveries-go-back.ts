import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a late report moves a delivery back',
  file: 'server/src/features/deliveries/progress/delivery-transitions.ts',
  find: '  return rank < (step.state',
  replace: '  return rank > 0 && 0 < (step.state',
  tests: ['server/src/features/deliveries/progress/advance-deliveries.test.ts'],
}
