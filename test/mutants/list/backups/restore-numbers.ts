import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'after a restore numbers begin anew',
  file: 'server/src/base/store/backup/load-backup.ts',
  find: `  await goOnCounting(tx, header?.numbers ?? [])
`,
  replace: '',
  tests: ['server/src/features/backups/restore-backup.test.ts'],
}
