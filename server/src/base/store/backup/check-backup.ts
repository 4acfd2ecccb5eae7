import { listMigrations } from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import type { BackupHeader } from './backup-header.ts'
import type { OnProgress } from './backup-progress.ts'
import { readBackup } from './read-backup.ts'

export interface CheckedBackup {
  header: BackupHeader
  tables: number
  rows: number
}

/** Reads a backup from beginning to end, without a database: whoever restores it knows beforehand that it is whole. */
export async function checkBackup(file: string, onProgress?: OnProgress): Promise<CheckedBackup> {
  let header: BackupHeader | undefined
  let [table, number, rows] = ['', 0, 0]
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') {
      header = part.header
      await refuseNewer(file, header)
    } else if (part.kind === 'table') {
      table = part.table.name
      number = part.number
    } else if (part.kind === 'rows') {
      rows += part.count
      onProgress?.({ table, number, tables: header?.tables.length ?? 0, rows })
    }
  }
  return { header: header as BackupHeader, tables: number, rows }
}

async function refuseNewer(file: string, { migrations }: BackupHeader): Promise<void> {
  const known = await listMigrations()
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new BackupError(
      `${file} was made by a newer version of Peyk (its schema has ${unknown}): restore it with that version or a later one.`,
    )
}
