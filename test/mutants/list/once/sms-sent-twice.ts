import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an SMS that may have gone out is sent again',
  file: 'server/src/features/deliveries/fallback/settle-store.ts',
  find: "set state = 'unknown', detail = 'the service stopped",
  replace: "set state = 'waiting', detail = 'the service stopped",
  tests: ['server/src/features/deliveries/fallback/fallback-loop.test.ts'],
}
