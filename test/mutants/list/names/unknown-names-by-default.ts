import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an endpoint that nobody has classified takes unknown names',
  file: 'contract/src/unknown-names.ts',
  find: "dropping.has(endpoint) ? 'drop' : 'refuse'",
  replace: "dropping.has(endpoint) ? 'drop' : 'report'",
  tests: ['test/spec/unknown-names.test.ts'],
}
