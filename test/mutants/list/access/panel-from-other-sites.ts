import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a page of another site can act for a member',
  file: 'server/src/entry/http/panel/panel-gate.ts',
  find: "if (request.method !== 'GET' && request.method !== 'HEAD') checkOwnOrigin(request)",
  replace: "if (request.method === 'TRACE') checkOwnOrigin(request)",
  tests: ['server/src/entry/http/panel/panel-session.test.ts', 'test/spec/panel-access.test.ts'],
}
