import { resolve } from 'node:path'
import { type Config, loadConfig } from '#base/config.ts'
import { secretKeyFile } from '#base/secrets/secret-key.ts'
import { makeBackup } from '#features/backups/make-backup.ts'
import type { Command } from '../command.ts'
import { print } from '../print.ts'
import { withStore } from '../with-store.ts'
import { countOf, createProgressLines } from './progress-lines.ts'

export const command: Command = {
  arguments: [{ name: 'file', summary: 'the file to write, which must not exist yet' }],
  options: {},
  notes: `Writes all data of all apps, as of one moment, and may run while the service runs. Only its owner can read the file,
which is written whole or not at all. It has no sessions and sign-in links of the panel.

Nor does it have the key that decrypts the stored credentials: keep a copy of secret.key of the data folder, or of
PEYK_SECRET_KEY, apart from the backups. Whoever has both can send in your name; without the key all
credentials must be set again, and browsers must subscribe again.

For scheduled backups, set PEYK_BACKUP_EVERY: see peyk start --help.`,
  examples: ['peyk backup /backups/monday.backup', 'PEYK_DATABASE_URL=postgresql://… peyk backup monday.backup'],

  async run({ words }) {
    const file = resolve(words[0] as string)
    const config = loadConfig()
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
    const { tables, rows, bytes } = await withStore((store, now) =>
      makeBackup(
        { store, now },
        { file, isScheduled: false, onProgress: createProgressLines('copying'), signal: stopping.signal },
      ),
    )
    print(`Wrote ${countOf(rows, 'row')} of ${countOf(tables, 'table')}, ${countOf(bytes, 'byte')}, to ${file}`)
    print(`The key that decrypts the stored credentials is not in it. ${describeKey(config)}`)
    return 0
  },
}

function describeKey(config: Config): string {
  return config.secretKeys.length > 0
    ? 'Keep PEYK_SECRET_KEY apart from the backups.'
    : `Keep a copy of ${secretKeyFile(config)} apart from the backups.`
}
