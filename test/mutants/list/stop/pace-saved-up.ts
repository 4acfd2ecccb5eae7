import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a message with a throttle catches up after a pause or a restart',
  file: 'server/src/features/deliveries/pace/pace-store.ts',
  find: "interval '0.5 seconds' - interval",
  replace: "interval '1 hour' - interval",
  tests: ['server/src/features/deliveries/pace/release-paced.test.ts'],
}
