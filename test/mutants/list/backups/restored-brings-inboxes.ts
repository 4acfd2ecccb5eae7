import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a restored service brings what waited in inboxes',
  file: 'server/src/entry/connection/inbox/inbox-sender.ts',
  find: `    if (!this.mayDeliver()) return void hold(connection)
`,
  replace: '',
  tests: ['server/src/entry/connection/inbox/hold-inbox.test.ts'],
}
