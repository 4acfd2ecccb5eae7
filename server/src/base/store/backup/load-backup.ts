import { isDeepStrictEqual } from 'node:util'
import sql, { raw } from 'sql-template-tag'
import { applyMigration, listMigrations } from '../migrate.ts'
import { type Copy, openCopy } from '../open-copy.ts'
import type { Transaction } from '../store.ts'
import { BackupError } from './backup-error.ts'
import type { BackupHeader, NumberedColumn, TableShape } from './backup-header.ts'
import type { OnProgress } from './backup-progress.ts'
import { quoteName } from './quote-name.ts'
import { readBackup } from './read-backup.ts'
import { listTables, readSchema } from './read-schema.ts'

/** The database has tables: nothing was changed. */
export class NotEmptyError extends BackupError {}

/**
 * Fills an empty database, in the caller's transaction: first the schema as it was when the backup was made, then its rows,
 * then what has been added to the schema since. Until that is committed, nobody else can migrate.
 */
export async function loadBackup(
  tx: Transaction,
  { file, onProgress }: { file: string; onProgress?: OnProgress | undefined },
): Promise<BackupHeader> {
  await tx.query(sql`set local statement_timeout = 0`)
  await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
  const found = await listTables(tx)
  if (found.length > 0) throw new NotEmptyError(`The database is not empty: it has the table ${found[0]}.`)
  let header: BackupHeader | undefined
  let copy: Copy | undefined
  let [table, number, rows] = ['', 0, 0]
  try {
    for await (const part of readBackup(file)) {
      if (part.kind === 'header') {
        header = part.header
        await buildSchema(tx, file, header)
      } else if (part.kind === 'table') {
        copy = openCopy(tx, copyStatement(part.table))
        table = part.table.name
        number = part.number
      } else if (part.kind === 'rows') {
        await copy?.write(part.bytes)
        rows += part.count
        onProgress?.({ table, number, tables: header?.tables.length ?? 0, rows })
      } else if (part.kind === 'table-end') {
        const taken = await copy?.end()
        copy = undefined
        if (taken !== part.rows) throw new Error(`of ${part.rows} rows of ${table} the database took ${taken}`)
      }
    }
  } catch (error) {
    await copy?.cancel()
    throw error
  }
  await goOnCounting(tx, header?.numbers ?? [])
  for (const name of await listMigrations()) await applyMigration(tx, name)
  return header as BackupHeader
}

/** The names of the file are used only where the schema has the same. */
async function buildSchema(tx: Transaction, file: string, header: BackupHeader): Promise<void> {
  for (const name of header.migrations) await applyMigration(tx, name)
  for (const { name, parent, bound } of header.partitions)
    await tx.query(raw(`create table ${quoteName(name)} partition of ${quoteName(parent)} ${bound}`))
  const { tables } = await readSchema(tx)
  const shapes = new Map(tables.map(({ name, columns }) => [name, columns.toSorted()]))
  const foreign = header.tables.find(({ name, columns }) => !isDeepStrictEqual(shapes.get(name), columns.toSorted()))
  if (foreign)
    throw new BackupError(`${file} does not fit: the table ${foreign.name} has other columns. Nothing was changed.`)
  // A migration may have put something there.
  await tx.query(raw(`truncate ${tables.map(({ name }) => quoteName(name)).join(', ')}`))
}

function copyStatement({ name, columns }: TableShape): string {
  return `copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) from stdin`
}

async function goOnCounting(tx: Transaction, numbers: readonly NumberedColumn[]): Promise<void> {
  for (const { table, column, last, isCalled } of numbers)
    await tx.query(
      sql`select setval(pg_get_serial_sequence(${quoteName(table)}, ${column}), ${last}::bigint, ${isCalled})`,
    )
}
