import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { BackupError } from './backup-error.ts'
import { type Frame, firstLine, lastLine, readFrames } from './backup-frames.ts'
import { type BackupHeader, readHeader, type TableShape } from './backup-header.ts'
import { countRows } from './count-rows.ts'
import { describeFileFault } from './describe-file-fault.ts'

export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: TableShape; number: number }
  | { kind: 'rows'; bytes: Buffer; count: number }
  /** The rows since the table agree with its number and checksum. */
  | { kind: 'table-end'; rows: number }
  /** The last part: a file without it is not whole. */
  | { kind: 'end'; tables: number; rows: number }

/** What stands in a backup, a piece at a time and checked on the way. Whatever is wrong with the file is a BackupError. */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const { start, end } = await findFrames(file)
  const plain = createZstdDecompress()
  // What fails here is thrown where `plain` is read.
  pipeline(createReadStream(file, { start, end }), plain).catch(() => undefined)
  const reader = new PartReader()
  try {
    for await (const frame of readFrames(plain)) yield reader.read(frame)
  } catch (error) {
    throw describeDamage(file, error)
  } finally {
    plain.destroy()
  }
  if (!reader.isWhole) throw notWhole(file)
}

function notWhole(file: string): BackupError {
  return new BackupError(`${file} is not whole: its end is missing. Nothing was changed.`)
}

/** The first and the last byte of what stands between the two lines of plain text. */
async function findFrames(file: string): Promise<{ start: number; end: number }> {
  const { size, first, last } = await readLines(file).catch((error) => {
    throw describeFileFault(error, `${file} cannot be read`)
  })
  if (first !== firstLine) throw foreign(file, first)
  if (last !== lastLine) throw notWhole(file)
  return { start: firstLine.length, end: size - lastLine.length - 1 }
}

async function readLines(file: string): Promise<{ size: number; first: string; last: string }> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const read = async (length: number, at: number) =>
      (await handle.read(Buffer.alloc(length), 0, length, Math.max(0, at))).buffer.toString('latin1')
    const first = await read(firstLine.length, 0)
    return { size, first, last: await read(lastLine.length, size - lastLine.length) }
  } finally {
    await handle.close()
  }
}

function foreign(file: string, first: string): BackupError {
  const [, version] = /^Peyk backup (\d+)/.exec(first) ?? []
  return new BackupError(
    version === undefined
      ? `${file} is no backup of Peyk.`
      : `${file} is a backup in the form ${version}, which this version of Peyk does not know: use a newer one.`,
  )
}

class DamageError extends Error {}

function describeDamage(file: string, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  const isOurs = error instanceof DamageError || code === undefined || /^(Z_|ZSTD_)/.test(code)
  if (isOurs) return new BackupError(`${file} is damaged: ${message}. Nothing was changed.`, { cause: error })
  return describeFileFault(error, `${file} cannot be read`)
}

/** Frames in their order, and nothing that is not as the frames say. */
class PartReader {
  isWhole = false
  private header: BackupHeader | undefined
  private table: { shape: TableShape; hash: Hash; rows: number } | undefined
  private tables = 0
  private rows = 0

  read(frame: Frame): BackupPart {
    if (this.isWhole) throw new DamageError('something follows its end')
    if (frame.kind === 'D') return this.readRows(frame.body)
    const body = readJson(frame.body)
    if (frame.kind === 'H') return this.readHeader(body)
    if (frame.kind === 'T') return this.readTable(body)
    return frame.kind === 'E' ? this.readTableEnd(body) : this.readEnd(body)
  }

  private readHeader(body: Record<string, unknown>): BackupPart {
    const header = readHeader(body)
    if (!header || this.header) throw new DamageError('its header cannot be read')
    this.header = header
    return { kind: 'header', header }
  }

  private readTable({ name }: Record<string, unknown>): BackupPart {
    const table = this.header?.tables[this.tables]
    if (!table || this.table || table.name !== name) throw new DamageError(`the table ${name} is not expected`)
    this.table = { shape: table, hash: createHash('sha256'), rows: 0 }
    return { kind: 'table', table, number: this.tables + 1 }
  }

  private readRows(bytes: Buffer): BackupPart {
    if (!this.table) throw new DamageError('there are rows of no table')
    this.table.hash.update(bytes)
    const count = countRows(bytes)
    this.table.rows += count
    return { kind: 'rows', bytes, count }
  }

  private readTableEnd({ rows, sha256 }: Record<string, unknown>): BackupPart {
    const { table } = this
    if (!table) throw new DamageError('a table ends that did not begin')
    if (rows !== table.rows || sha256 !== table.hash.digest('hex'))
      throw new DamageError(`the rows of ${table.shape.name} do not agree with their checksum`)
    this.table = undefined
    this.tables++
    this.rows += table.rows
    return { kind: 'table-end', rows: table.rows }
  }

  private readEnd({ tables, rows }: Record<string, unknown>): BackupPart {
    const isRight = this.header && !this.table && tables === this.header.tables.length
    if (!isRight || tables !== this.tables || rows !== this.rows)
      throw new DamageError('its sums do not agree with its tables')
    this.isWhole = true
    return { kind: 'end', tables: this.tables, rows: this.rows }
  }
}

function readJson(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString())) as Record<string, unknown>
  } catch {
    throw new DamageError('a part of it cannot be read')
  }
}
