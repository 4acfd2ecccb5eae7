import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Cell, ColumnKind, Columns } from '#base/answers/row-file.ts'

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']
type Row = readonly Cell[]

/**
 * A group of rows is held in memory, and written in one go, while everybody else in this process waits: so many, or so many
 * characters, whichever comes first.
 */
const rowsPerGroup = 2_000
const charactersPerGroup = 1_000_000

const types: Record<ColumnKind, Omit<Schema[number], 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
}

/** Rows as Parquet, a group at a time: of the groups that were written, only where they lie is kept, for the end of the file. */
export async function* writeParquet(columns: Columns, next: () => Promise<IteratorResult<Row>>) {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'Peyk',
  })
  const kinds = Object.entries(columns)
  let group = new RowGroup(kinds)
  for (let item = await next(); !item.done; item = await next()) {
    group.add(item.value)
    if (!group.isFull) continue
    group.writeTo(file)
    yield takeBytes(writer)
    group = new RowGroup(kinds)
  }
  if (group.rows > 0) group.writeTo(file)
  await file.finish()
  yield takeBytes(writer)
}

function schemaOf(columns: Columns): Schema {
  const fields = Object.entries(columns).map(([name, kind]) => ({
    name,
    ...types[kind],
    repetition_type: 'OPTIONAL' as const,
  }))
  return [{ name: 'root', num_children: fields.length }, ...fields]
}

/** What was written since; its places in the file go on. */
function takeBytes(writer: ByteWriter): Buffer {
  const bytes = Buffer.from(writer.getBytes())
  writer.index = 0
  return bytes
}

class RowGroup {
  rows = 0
  private characters = 0
  private readonly kinds: readonly (readonly [string, ColumnKind])[]
  private readonly data: unknown[][]

  constructor(kinds: readonly (readonly [string, ColumnKind])[]) {
    this.kinds = kinds
    this.data = kinds.map(() => [])
  }

  get isFull(): boolean {
    return this.rows >= rowsPerGroup || this.characters >= charactersPerGroup
  }

  add(row: Row): void {
    this.rows++
    for (const [index, [, kind]] of this.kinds.entries()) {
      const cell = row[index] ?? null
      this.characters += lengthOf(cell)
      this.data[index]?.push(kind === 'time' && cell !== null ? new Date(cell as string) : cell)
    }
  }

  writeTo(file: ParquetWriter): void {
    const columnData = this.kinds.map(([name, kind], index) => ({
      ...{ name, data: this.data[index] ?? [], offsetIndex: false },
      // The least and the greatest of a group: what readers skip groups by. Of texts they cost time, and room at the end.
      statistics: kind === 'time' || kind === 'number',
    }))
    void file.write({ columnData, rowGroupSize: this.rows })
  }
}

function lengthOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  return typeof cell === 'object' && cell !== null ? JSON.stringify(cell).length : 0
}
