import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a push that a provider took before its GOAWAY is called not sent, and goes again',
  file: 'server/src/base/http-client/http2-connection.ts',
  find: 'call.streamId > this.lastStreamId ? notTaken : unanswered',
  replace: 'call.streamId > 0 && this.lastStreamId < Number.POSITIVE_INFINITY ? notTaken : unanswered',
  tests: ['server/src/base/http-client/http2-connection.test.ts'],
}
