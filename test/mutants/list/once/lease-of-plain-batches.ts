import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a holder whose lease has ended still ends a batch whose message went out as usual',
  file: 'server/src/features/deliveries/dispatch/settle-plain.ts',
  find: 'where b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = k.holder',
  replace: 'where b.app_id = k.app_id and b.batch_no = k.batch_no',
  tests: ['server/src/features/deliveries/dispatch/settle-batches.test.ts'],
}
