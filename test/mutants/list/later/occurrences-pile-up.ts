import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'after an absence every occurrence of a series goes',
  file: 'server/src/features/messages/series/decide-late.ts',
  find: 'dueAt.getTime() > now.getTime() - latestStartMs',
  replace: 'dueAt.getTime() > latestStartMs',
  tests: ['server/src/features/messages/series/series-clock.test.ts'],
}
