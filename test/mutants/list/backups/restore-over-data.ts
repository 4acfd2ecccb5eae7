import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a backup is loaded into a database that is in use',
  file: 'server/src/base/store/backup/load-backup.ts',
  find: 'if (found.length > 0) throw',
  replace: 'if (found.length > 1_000) throw',
  tests: ['server/src/features/backups/broken-backup.test.ts'],
}
