import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a message can hold a link that runs a script',
  file: 'server/src/features/messages/check/forbidden-scheme.ts',
  find: "new Set(['javascript', 'data',",
  replace: "new Set(['data',",
  tests: ['server/src/features/messages/check/check-links.test.ts'],
}
