import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what a client acknowledged before it was stored waits in the inbox all the same',
  file: 'server/src/features/deliveries/direct/direct-deliveries.ts',
  find: "if (how === 'acknowledged') {",
  replace: "if (how === 'acknowledged' && !fresh) {",
  tests: ['server/src/entry/connection/inbox/direct.test.ts'],
}
