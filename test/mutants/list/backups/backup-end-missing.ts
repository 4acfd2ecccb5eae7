import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a backup that was cut off counts as whole',
  file: 'server/src/base/store/backup/read-backup.ts',
  find: '  if (!reader.isWhole) throw',
  replace: '  if (!reader) throw',
  tests: ['server/src/features/backups/broken-backup.test.ts'],
}
