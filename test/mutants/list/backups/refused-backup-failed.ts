import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a file that is refused counts as a failed backup',
  file: 'server/src/features/backups/make-backup.ts',
  find: 'if (!signal?.aborted && !isRefusal)',
  replace: 'if (!signal?.aborted)',
  tests: ['server/src/features/backups/broken-backup.test.ts'],
}
