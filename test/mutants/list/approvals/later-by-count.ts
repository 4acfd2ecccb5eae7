import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a later send to a group without a device today needs no approval',
  file: 'server/src/features/composer/approvals/needs-approval.ts',
  find: 'if (!isLater) return count > above',
  replace: 'if (!isLater || count === 0) return count > above',
  tests: ['server/src/features/composer/approvals/approved-content.test.ts'],
}
