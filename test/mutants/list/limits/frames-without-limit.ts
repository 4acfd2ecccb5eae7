import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a host may send any number of frames that carry nothing',
  file: 'server/src/base/http-client/http2/frame-budget.ts',
  find: "if (this.credit < 0) throw new ProtocolFault('ENHANCE_YOUR_CALM')",
  replace: '',
  tests: ['server/src/base/http-client/http2/hostile-host.test.ts'],
}
