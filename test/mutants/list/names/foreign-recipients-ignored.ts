import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a send to everybody ignores that users were named',
  file: 'contract/src/message-body.ts',
  find: '  clientId: personalFields.clientId,\n  ...noUsers,',
  replace: '  clientId: personalFields.clientId,',
  tests: ['test/spec/unknown-names.test.ts'],
}
