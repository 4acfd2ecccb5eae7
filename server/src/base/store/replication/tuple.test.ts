import { createTestStore } from '@peyk/test/database/test-store.ts'
import pg from 'pg'
import { expect, it } from 'vitest'
import { CopyQuery } from './copy-query.ts'
import { readCopiedRow } from './read-copied-row.ts'
import {
  createTuple,
  isNull,
  readDouble,
  readInteger,
  readMs,
  readNumeric,
  readText,
  readTexts,
  type Tuple,
} from './tuple.ts'

const store = await createTestStore()

async function copyRows<Value>(query: string, read: (row: Tuple) => Value): Promise<Value[]> {
  const client = new pg.Client(await store.findAddress())
  await client.connect()
  const tuple = createTuple()
  const rows: Value[] = []
  const copying = new CopyQuery(`copy (${query}) to stdout (format binary)`, (bytes) => {
    if (readCopiedRow(bytes, tuple)) rows.push(read(tuple))
  })
  try {
    client.query(copying)
    await copying.ended
    return rows
  } finally {
    await client.end()
  }
}

it('reads what PostgreSQL copies in binary form', async () => {
  const query = `select 7::int, -3::bigint, 9007199254740991::bigint, 0.1::float8, 'سلام', '2026-11-15T10:00:00.0009Z'::timestamptz,
    '1969-12-31T23:59:59.9999Z'::timestamptz, array['a', 'ب,"'], array[]::text[], null::text`
  const rows = await copyRows(query, (row) => [
    ...[0, 1, 2].map((column) => readInteger(row, column)),
    readDouble(row, 3),
    readText(row, 4),
    ...[5, 6].map((column) => readMs(row, column)),
    ...[7, 8].map((column) => readTexts(row, column)),
    row.lengths[9],
  ])
  const time = Date.parse('2026-11-15T10:00:00.000Z')
  expect(rows).toEqual([[7, -3, 9007199254740991, 0.1, 'سلام', time, -1, ['a', 'ب,"'], [], isNull]])
})

it('reads decimals that are numbers of JavaScript, and no others', async () => {
  const sure = [
    '0',
    '1',
    '-1',
    '10000',
    '100000000',
    '0.1',
    '-0.00012',
    '12345.678',
    '99999999.9999',
    '123456789012345',
    '1.50',
  ]
  const unsure = ['1234567890.1234567', '0.1234567890123456', 'NaN']
  const query = `select unnest(array['${[...sure, ...unsure].join("','")}']::numeric[])`
  const read = await copyRows(query, (row) => readNumeric(row, 0))
  expect(read).toEqual([...sure.map(Number), ...unsure.map(() => undefined)])
})

it('tells who waits for a copy why it failed', async () => {
  await expect(copyRows('select 1 / 0', () => 0)).rejects.toThrow('division by zero')
  const refuse = () => {
    throw new Error('no more')
  }
  await expect(copyRows('select 1', refuse)).rejects.toThrow('no more')
})
