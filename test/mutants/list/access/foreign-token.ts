import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a token opens the host of another app',
  file: 'server/src/entry/http/gate/authenticate.ts',
  find: 'if (label !== undefined && label !== token.app.label) {',
  replace: "if (label === '') {",
  tests: ['server/src/entry/http/gate/authenticate.test.ts', 'test/spec/5-authentication.test.ts'],
}
