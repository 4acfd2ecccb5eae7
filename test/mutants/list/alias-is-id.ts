import type { Mutant } from '../mutant.ts'

export const mutant: Mutant = {
  name: 'others see the installation id of who publishes an event',
  file: 'server/src/entry/connection/event-packets.ts',
  find: '${isKnown ? installationId : this.alias}`',
  replace: '${installationId}`',
  tests: ['server/src/entry/connection/pass-on.test.ts'],
}
