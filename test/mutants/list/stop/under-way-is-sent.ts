import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what is under way goes on when all sending is stopped',
  file: 'server/src/features/deliveries/dispatch/messages-in-work.ts',
  find: ' or k.app_id = any (${stoppedApps})',
  replace: '',
  tests: ['server/src/features/deliveries/control/stop-all-sending.test.ts'],
}
