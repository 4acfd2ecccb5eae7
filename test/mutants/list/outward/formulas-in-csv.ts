import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an export can hold formulas',
  file: 'server/src/entry/http/answer/csv-answer.ts',
  find: "/^[=+\\-@\\t\\r]/.test(value) ? `'${value}` : value",
  replace: 'value',
  tests: ['server/src/entry/http/answer/csv-answer.test.ts'],
}
