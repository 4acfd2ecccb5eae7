import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a holder whose lease has ended still ends a batch of deliveries',
  file: 'server/src/features/deliveries/dispatch/settle-batches.ts',
  find: 'where k.is_final and b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = k.holder',
  replace: 'where k.is_final and b.app_id = k.app_id and b.batch_no = k.batch_no',
  tests: ['server/src/features/deliveries/dispatch/settle-batches.test.ts'],
}
