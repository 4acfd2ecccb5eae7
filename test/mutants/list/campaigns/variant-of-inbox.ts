import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what waits in an inbox is read in the first variant, whichever was handed over',
  file: 'server/src/features/deliveries/inbox/read-inbox.ts',
  find: 'if (variant !== undefined) recipient.variant = variant',
  replace: '',
  tests: ['server/src/features/deliveries/inbox/read-inbox.test.ts'],
}
