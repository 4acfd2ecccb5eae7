import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a client key changes a phone number that the back end set',
  file: 'server/src/features/installations/attributes/protect-attributes.ts',
  find: 'return protectedNames.has(name) && value !== undefined && !isUnverified',
  replace: "return protectedNames.has(name) && value !== undefined && isUnverified && name === ''",
  tests: ['server/src/features/installations/attributes/protect-attributes.test.ts'],
}
