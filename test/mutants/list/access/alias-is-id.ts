import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'others see the installation id of who publishes an event',
  file: 'server/src/entry/connection/events/event-packets.ts',
  find: '${isKnown ? installationId : this.alias}`',
  replace: '${installationId}`',
  tests: ['server/src/entry/connection/events/pass-on.test.ts'],
}
