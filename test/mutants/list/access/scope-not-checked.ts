import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a token opens every endpoint',
  file: 'server/src/entry/http/gate/gate.ts',
  find: `      checkScope(token, route)
`,
  replace: '',
  tests: ['test/spec/5-authentication.test.ts'],
}
