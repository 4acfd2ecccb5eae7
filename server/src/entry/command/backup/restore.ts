import { resolve } from 'node:path'
import { type Config, loadConfig } from '#base/config.ts'
import { findSecretKeys, secretKeyFile } from '#base/secrets/secret-key.ts'
import type { BackupHeader } from '#base/store/backup/backup-header.ts'
import { checkBackup } from '#base/store/backup/check-backup.ts'
import { NotEmptyError } from '#base/store/backup/load-backup.ts'
import { findMissingKeys } from '#features/backups/find-missing-keys.ts'
import { restoreBackup } from '#features/backups/restore-backup.ts'
import { type Command, CommandError } from '../command.ts'
import { formatMinute, print } from '../print.ts'
import { countOf, createProgressLines } from './progress-lines.ts'
import { withUnusedStore } from './with-unused-store.ts'

export const command: Command = {
  arguments: [{ name: 'file', summary: 'a file that peyk backup wrote' }],
  options: {
    'without-key': {
      summary: 'restore without the key of the stored credentials; they must be set again',
    },
  },
  notes: `1. Stop the service. Set PEYK_DATA to a new folder, or PEYK_DATABASE_URL to an empty database.
2. Copy the old secret.key into that folder, or set PEYK_SECRET_KEY.
3. Run this command. It reads the whole file before it changes anything, and then loads all of it or nothing.
4. Check with peyk verify, and start the service. It accepts requests, and sends nothing.
5. Decide with peyk resume what happens to the messages, SMS and webhook calls that waited when the backup was made: many of
   them have probably been sent since.

Changes made after the backup are undone: revoked tokens work again, deleted users are back.`,
  examples: ['PEYK_DATA=/var/peyk-new peyk restore monday.backup'],

  async run({ words, isOn }) {
    const file = resolve(words[0] as string)
    const config = loadConfig()
    print(`Checking ${file}`)
    const { header, tables, rows } = await checkBackup(file, createProgressLines('checking'))
    if (!isOn('without-key')) await checkKeys(config, header)
    print(
      `Loading ${countOf(rows, 'row')} of ${countOf(tables, 'table')}, as of ${formatMinute(new Date(header.madeAt))}`,
    )
    await withUnusedStore(config, (store) =>
      restoreBackup({ store }, { file, onProgress: createProgressLines('loading') }).catch((error) => {
        throw error instanceof NotEmptyError ? new CommandError(describeNotEmpty(config, error)) : error
      }),
    )
    print('Restored. The service sends nothing until you decide what happens to what waited in the backup: peyk resume')
    return 0
  },
}

async function checkKeys(config: Config, { sealed }: BackupHeader): Promise<void> {
  const keys = await findSecretKeys(config)
  const secrets = sealed.map((text) => Buffer.from(text, 'base64'))
  const missing = findMissingKeys(secrets, keys ?? [])
  if (missing.length === 0) return
  const where = config.secretKeys.length > 0 ? 'in PEYK_SECRET_KEY' : `in ${secretKeyFile(config)}`
  throw new CommandError(
    `The credentials in the backup were encrypted with the key ${missing.join(' and the key ')}, which is not ${where}. Copy secret.key of the old data folder there, or set PEYK_SECRET_KEY, and try again; if the key is lost, add --without-key. Nothing was changed.`,
  )
}

function describeNotEmpty({ databaseUrl, dataFolder }: Config, { message }: Error): string {
  return databaseUrl === undefined
    ? `${message} Nothing was changed. Set PEYK_DATA to a new folder, or move ${dataFolder} away first.`
    : `${message} Nothing was changed. Create a new database and set PEYK_DATABASE_URL to it.`
}
