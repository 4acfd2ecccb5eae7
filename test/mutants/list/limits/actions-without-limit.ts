import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a delivery keeps any number of actions',
  file: 'server/src/features/receipts/receipts-store.ts',
  find: '<= ${limits.actionsPerDelivery}',
  replace: '<= ${limits.actionsPerDelivery * 1_000}',
  tests: ['server/src/features/receipts/record-receipts.test.ts'],
}
