import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a route of the panel takes names that it does not know',
  file: 'server/src/entry/http/panel/add-panel-route.ts',
  find: "inputChecker(route.endpoint, 'refuse')",
  replace: "inputChecker(route.endpoint, 'report')",
  tests: ['test/spec/unknown-names.test.ts', 'test/faults/foreign-names.test.ts'],
}
