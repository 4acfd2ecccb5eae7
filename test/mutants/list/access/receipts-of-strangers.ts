import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'receipts count from installations that the message was not sent to',
  file: 'server/src/features/receipts/record-receipts.ts',
  find: 'if (!addressee?.is_addressed) return []',
  replace: 'if (!addressee?.installation_no || addressee.recipients === null) return []',
  tests: ['server/src/features/receipts/record-receipts.test.ts'],
}
