import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a device that was told of a recall over its connection is sent a push as well',
  file: 'server/src/features/deliveries/recall/clear-batches-store.ts',
  find: 'where w.in_inbox and ${takesSilentPush}',
  replace: 'where ${takesSilentPush}',
  tests: ['server/src/features/deliveries/recall/recall-message.test.ts'],
}
