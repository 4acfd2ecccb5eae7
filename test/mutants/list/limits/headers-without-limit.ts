import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a push service can fill the memory with headers that it names by their number',
  file: 'server/src/base/http-client/http2/header-reader.ts',
  find: 'if (bytes > mostHeaderBytes)',
  replace: 'if (bytes > mostHeaderBytes * 1_000)',
  tests: ['server/src/base/http-client/http2/session.test.ts'],
}
