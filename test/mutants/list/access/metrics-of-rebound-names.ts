import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a page whose name was rebound to the machine reads the metrics',
  file: 'server/src/entry/http/gate/is-own-machine.ts',
  find: ` || !localName.test(headers.host ?? '')`,
  replace: '',
  tests: ['server/src/entry/http/outer-edge.test.ts'],
}
