import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a moment at which a series was sent is made again when its rule changes',
  file: 'server/src/features/messages/series/plan-ahead.ts',
  find: '    if (taken.has(at.getTime())) continue\n',
  replace: '',
  tests: ['server/src/features/messages/series/series.test.ts'],
}
