import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a push goes with the headers of another, kept from before the table of headers changed',
  file: 'server/src/base/http-client/http2/header-writer.ts',
  find: 'isSame && kept?.version === table.version ? undefined',
  replace: 'isSame && kept ? undefined',
  tests: ['server/src/base/http-client/http2/headers.test.ts'],
}
