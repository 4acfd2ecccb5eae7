import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'the numbers of a results page are read one after the other, while everything moves',
  file: 'server/src/base/context.ts',
  find: 'await tx.query(sql`set transaction isolation level repeatable read, read only`)',
  replace: '',
  tests: ['server/src/features/statistics/message-lines/read-results.test.ts'],
}
