import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'deliveries of an audience that was cancelled before it was cut are not recorded',
  file: 'server/src/features/deliveries/control/record-cancelled.ts',
  find: 'for (const take of [takeListed, takeFromAudience])',
  replace: 'for (const take of [takeListed])',
  tests: ['server/src/features/transfer/cancelled-deliveries.test.ts'],
}
