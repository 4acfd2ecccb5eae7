import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'the tables of a backup are of different moments',
  file: 'server/src/base/store/backup/write-backup.ts',
  find: 'isolation level repeatable read, read only',
  replace: 'isolation level read committed, read only',
  tests: ['server/src/features/backups/restore-backup.test.ts'],
}
