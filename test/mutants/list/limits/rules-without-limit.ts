import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a segment can have any number of rules',
  file: 'server/src/features/segments/read/rule-budget.ts',
  find: 'if (++this.rules <= limits.rulesPerSegment) return',
  replace: 'if (++this.rules <= limits.rulesPerSegment * 1_000) return',
  tests: ['server/src/features/segments/read/read-segment.test.ts'],
}
