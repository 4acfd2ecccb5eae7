import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an SMS that was found due goes out after all sending was stopped',
  file: 'server/src/features/deliveries/fallback/claim-store.ts',
  find: ' and f.app_id <> all (${stoppedApps})',
  replace: '',
  tests: ['server/src/features/deliveries/fallback/fallback-loop.test.ts'],
}
