import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a small group is moved to now without approval',
  file: 'server/src/features/composer/changes/move-scheduled.ts',
  find: 'needsApproval({ ...outgoing, isLater: true }, above)',
  replace: 'needsApproval(outgoing, above)',
  tests: ['server/src/features/composer/approvals/approved-content.test.ts'],
}
