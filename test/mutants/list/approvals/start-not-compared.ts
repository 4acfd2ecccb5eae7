import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a scheduled message that differs from what was approved is sent',
  file: 'server/src/features/messages/approved/drop-unapproved.ts',
  find: 'if (approvedAs === undefined || approvedAs === hashScheduled(message)) {',
  replace: `if (approvedAs !== '') {`,
  tests: ['server/src/features/composer/approvals/approved-content.test.ts'],
}
