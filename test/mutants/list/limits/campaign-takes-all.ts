import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a large campaign keeps other messages of its app out of the queue of a provider',
  file: 'server/src/features/deliveries/senders/turns-queue.ts',
  find: 'else if (this.queues.size > 1) {',
  replace: 'else if (this.queues.size < 1) {',
  tests: ['server/src/features/deliveries/senders/turns-queue.test.ts'],
}
