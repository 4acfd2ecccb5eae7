import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'the rows of a backup are not compared with their checksum',
  file: 'server/src/base/store/backup/read-backup.ts',
  find: "if (rows !== table.rows || sha256 !== table.hash.digest('hex'))",
  replace: 'if (rows !== table.rows)',
  tests: ['server/src/features/backups/broken-backup.test.ts'],
}
