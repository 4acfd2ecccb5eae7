import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a webhook is not told of what was delivered before it was stored',
  file: 'server/src/features/deliveries/direct/direct-deliveries.ts',
  find: " || mayInterest(store, row.appId, 'message.delivered')",
  replace: '',
  tests: ['server/src/entry/connection/inbox/direct.test.ts'],
}
