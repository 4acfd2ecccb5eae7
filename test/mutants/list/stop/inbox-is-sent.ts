import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'inboxes are read while all sending is stopped',
  file: 'server/src/features/deliveries/inbox/inbox-store.ts',
  find: ' and a.stopped_at is null',
  replace: '',
  tests: ['server/src/features/deliveries/inbox/read-inbox.test.ts'],
}
