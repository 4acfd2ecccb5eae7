import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'who stops all sending is answered while others still store what they have not seen stopped',
  file: 'server/src/features/deliveries/control/await-all-stopped.ts',
  find: 'await waitForOlderWriters(ctx.store, stopPatience.ms)',
  replace: 'await Promise.resolve()',
  tests: ['server/src/features/deliveries/control/stop-all-sending.test.ts'],
}
