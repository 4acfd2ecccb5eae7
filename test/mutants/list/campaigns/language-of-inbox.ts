import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what waits in an inbox changes its language with the device, and is counted in the old one',
  file: 'server/src/features/deliveries/languages/read-languages.ts',
  find: 'coalesce(d.language, i.language) as language',
  replace: 'i.language as language',
  tests: ['server/src/features/deliveries/inbox/read-inbox.test.ts'],
}
