import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a send that changed after the look is approved',
  file: 'server/src/features/composer/approvals/approve-send.ts',
  find: 'if (now.seen !== seen) {',
  replace: 'if (seen === undefined) {',
  tests: ['server/src/features/composer/approvals/approved-content.test.ts'],
}
