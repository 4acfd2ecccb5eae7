import { zstdDecompressSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import type { Cell, Columns } from '#base/answers/row-file.ts'
import { writeParquet } from './parquet-rows.ts'

const columns: Columns = { userId: 'text', at: 'time', revenue: 'number', isGuest: 'boolean', data: 'json' }

async function write(rows: Iterable<readonly Cell[]>): Promise<Buffer[]> {
  const source = rows[Symbol.iterator]()
  const parts: Buffer[] = []
  for await (const part of writeParquet(columns, async () => source.next())) parts.push(part)
  return parts
}

function read(file: Buffer): Promise<Record<string, unknown>[]> {
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) }
  return parquetReadObjects({ file: bytes, compressors })
}

function metadataOf(file: Buffer) {
  return parquetMetadata(file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer)
}

describe('a Parquet file', () => {
  it('has its values as they are, and nothing where there is none', async () => {
    const at = '2026-11-18T10:20:30.123Z'
    const file = Buffer.concat(
      await write([
        ['sara', at, -2.5, true, { list: [1, 'سلام'] }],
        ['کاربر', null, null, null, null],
        ['', '1999-12-31T23:59:59.999Z', 1e300, false, []],
      ]),
    )
    expect(await read(file)).toEqual([
      { userId: 'sara', at: new Date(at), revenue: -2.5, isGuest: true, data: { list: [1, 'سلام'] } },
      { userId: 'کاربر', at: null, revenue: null, isGuest: null, data: null },
      { userId: '', at: new Date('1999-12-31T23:59:59.999Z'), revenue: 1e300, isGuest: false, data: [] },
    ])
  })

  it('says what its columns are', async () => {
    const { schema, created_by } = metadataOf(Buffer.concat(await write([['sara', null, null, null, null]])))
    expect(created_by).toBe('Peyk')
    expect(schema.slice(1).map(({ name, type, logical_type }) => [name, type, logical_type])).toEqual([
      ['userId', 'BYTE_ARRAY', { type: 'STRING' }],
      ['at', 'INT64', { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' }],
      ['revenue', 'DOUBLE', undefined],
      ['isGuest', 'BOOLEAN', undefined],
      ['data', 'BYTE_ARRAY', { type: 'JSON' }],
    ])
  })

  it('is a file without rows when there are none', async () => {
    const file = Buffer.concat(await write([]))
    expect(Number(metadataOf(file).num_rows)).toBe(0)
    expect(await read(file)).toEqual([])
  })

  it('is handed on group by group, by rows and by how long they are', async () => {
    const short = Array.from({ length: 5_000 }, (_, index) => [`user-${index}`, null, index, null, null])
    const parts = await write(short)
    expect(parts).toHaveLength(3)
    const file = Buffer.concat(parts)
    expect(metadataOf(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([2_000, 2_000, 1_000])
    const rows = await read(file)
    expect(rows).toHaveLength(5_000)
    expect(rows.at(-1)).toMatchObject({ userId: 'user-4999', revenue: 4_999 })
    const long = Array.from({ length: 10 }, () => [
      'x'.repeat(300_000),
      null,
      null,
      null,
      { text: 'y'.repeat(300_000) },
    ])
    expect(metadataOf(Buffer.concat(await write(long))).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([
      2, 2, 2, 2, 2,
    ])
  })
})
