import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an event can be as large as it likes',
  file: 'server/src/features/events/track/event-size.ts',
  find: `  return bytes > limits.eventDataBytes
`,
  replace: `  return bytes > limits.eventDataBytes * 1_000
`,
  tests: ['server/src/features/events/track/event-limits.test.ts'],
}
