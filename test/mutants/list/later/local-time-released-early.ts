import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what waits for a local time is released before that time',
  file: 'server/src/features/deliveries/local-time/release-due.ts',
  find: ` and stream <> 'expand' and available_at <= peyk_now()`,
  replace: ` and stream <> 'expand'`,
  tests: ['server/src/features/deliveries/local-time/local-time.test.ts'],
}
