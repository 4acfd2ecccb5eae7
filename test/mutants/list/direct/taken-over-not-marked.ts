import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what a connection was sent before it was taken over comes again without a mark',
  file: 'server/src/entry/connection/take-overs.ts',
  find: 'unacknowledged: sentOver(connections.findById(replaced.connectionId))',
  replace: 'unacknowledged: []',
  tests: ['server/src/entry/connection/two-processes.test.ts'],
}
