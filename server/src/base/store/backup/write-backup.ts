import { createHash, randomUUID } from 'node:crypto'
import { access, type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { syncFolder } from '../embedded/durable-file.ts'
import type { Store, Transaction } from '../store.ts'
import { promiseToRead } from '../wait-for-older-writers.ts'
import { RefusedFileError } from './backup-error.ts'
import { firstLine, lastLine, writeJsonFrame, writeRows } from './backup-frames.ts'
import type { BackupHeader } from './backup-header.ts'
import type { OnProgress } from './backup-progress.ts'
import { copyRowsOut } from './copy-rows-out.ts'
import { countRows } from './count-rows.ts'
import { describeFileFault } from './describe-file-fault.ts'
import { quoteName } from './quote-name.ts'
import { listTables, readMigrations, readNumbers, readSchema } from './read-schema.ts'

export interface BackupOrder {
  file: string
  /** Tables whose rows are of no use after a restore. */
  without: readonly string[]
  /** One stored secret for every key that secrets were sealed with. */
  readSealed(tx: Transaction): Promise<Buffer[]>
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

export interface WrittenBackup {
  tables: number
  rows: number
  bytes: number
}

/**
 * Copies every table as it is at one moment, while the service goes on, into one file that is there whole or not at all.
 * The rows go through memory a piece at a time.
 */
export async function writeBackup(store: Store, order: BackupOrder): Promise<WrittenBackup> {
  const { file } = order
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new RefusedFileError(`${file} already exists: name another file.`)
  const temporary = `${file}.${randomUUID().slice(0, 8)}.part`
  try {
    const handle = await openNew(temporary, file)
    try {
      await handle.chmod(0o600)
      const sums = await copyAll(store, handle, order)
      await handle.sync()
      const { size } = await handle.stat()
      await rename(temporary, file)
      await syncFolder(dirname(file))
      return { ...sums, bytes: size }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw describeFileFault(error, `The backup cannot be written to ${file}`)
  }
}

const refusals = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG'])

/** A file that cannot even be opened was named wrongly. Any other error, such as a full disk, is a failed backup. */
async function openNew(temporary: string, file: string): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx', 0o600)
  } catch (error) {
    const fault = describeFileFault(error, `The backup cannot be written to ${file}`) as Error
    throw refusals.has((error as { code?: string }).code ?? '') ? new RefusedFileError(fault.message) : fault
  }
}

async function copyAll(store: Store, handle: FileHandle, order: BackupOrder) {
  const names = await listTables(store)
  return store.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
    // Before the first look at the data, which is the moment that is copied: no month can be dropped from then on.
    await tx.query(raw(`lock table ${names.map(quoteName).join(', ')} in access share mode`))
    await promiseToRead(tx)
    const header = await readHeaderOf(tx, order)
    const sums = { tables: header.tables.length, rows: 0 }
    await handle.truncate(0)
    await writeAt(handle, Buffer.from(firstLine), 0)
    await pipeline(
      Readable.from(writeFrames(tx, header, sums, order.onProgress)),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      (compressed: AsyncIterable<Buffer>) => writeAll(handle, compressed),
      { signal: order.signal },
    )
    return sums
  })
}

async function writeAll(handle: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  let at = firstLine.length
  for await (const chunk of chunks) at += await writeAt(handle, chunk, at)
  await writeAt(handle, Buffer.from(lastLine), at)
}

/** All of it: a disk may take less at a time. */
async function writeAt(handle: FileHandle, bytes: Buffer, at: number): Promise<number> {
  let written = 0
  while (written < bytes.length)
    written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten
  return written
}

async function readHeaderOf(tx: Transaction, { without, readSealed }: BackupOrder): Promise<BackupHeader> {
  const [moment] = await tx.query<{ at: string }>(
    sql`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
  )
  const { tables, partitions } = await readSchema(tx)
  return {
    madeAt: moment?.at as string,
    migrations: await readMigrations(tx),
    tables: tables.filter(({ name }) => !without.includes(name)),
    partitions,
    numbers: await readNumbers(tx),
    sealed: (await readSealed(tx)).map((secret) => secret.toString('base64')),
  }
}

async function* writeFrames(
  tx: Transaction,
  header: BackupHeader,
  sums: { tables: number; rows: number },
  onProgress: OnProgress | undefined,
): AsyncGenerator<Buffer> {
  yield* writeJsonFrame('H', header)
  for (const [index, table] of header.tables.entries()) {
    yield* writeJsonFrame('T', { name: table.name })
    const hash = createHash('sha256')
    let rows = 0
    for await (const bytes of copyRowsOut(tx, table)) {
      hash.update(bytes)
      const more = countRows(bytes)
      rows += more
      sums.rows += more
      yield* writeRows(bytes)
      onProgress?.({ table: table.name, number: index + 1, tables: sums.tables, rows: sums.rows })
    }
    yield* writeJsonFrame('E', { rows, sha256: hash.digest('hex') })
  }
  yield* writeJsonFrame('Z', sums)
}
