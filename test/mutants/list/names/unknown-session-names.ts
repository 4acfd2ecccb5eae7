import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'the change of a password takes names that it does not know',
  file: 'server/src/entry/http/panel/add-panel.ts',
  find: "inputChecker(route.endpoint, 'refuse')",
  replace: "inputChecker(route.endpoint, 'report')",
  tests: ['test/spec/unknown-names.test.ts'],
}
