import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a client key works from every page',
  file: 'server/src/entry/http/gate/gate.ts',
  find: `      checkOrigin(token, request.headers.origin)
`,
  replace: '',
  tests: ['test/spec/5-authentication.test.ts'],
}
