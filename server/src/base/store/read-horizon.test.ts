import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { readHorizon } from './read-horizon.ts'
import { promiseToRead } from './wait-for-older-writers.ts'

const store = await createTestStore()

test('is now, less the lag, while nobody writes', async () => {
  const before = Date.now()
  const horizon = await readHorizon(store, 30_000)
  expect(horizon / 1000).toBeGreaterThan(before - 31_000)
  expect(horizon / 1000).toBeLessThanOrEqual(Date.now() - 29_000)
})

test('stays where the oldest transaction began that may write, and does not wait for one that only reads', async () => {
  await store.transaction(async (writing) => {
    await writing.query(sql`select 1 from apps`)
    const held = await readHorizon(store, 0)
    expect(await readHorizon(store, 0)).toBe(held)
  })
  await store.transaction(async (reading) => {
    await promiseToRead(reading)
    const first = await readHorizon(store, 0)
    expect(await readHorizon(store, 0)).toBeGreaterThan(first)
  })
})

test('a statement that takes hours runs outside a transaction, and its connection is as before', async () => {
  await store.maintain(sql`create index concurrently apps_measured on apps (name)`)
  await expect(store.maintain(sql`create index concurrently apps_measured on apps (name)`)).rejects.toThrow()
  for (let turn = 0; turn < store.poolSize; turn++) {
    const [row] = await store.query<{ statement_timeout: string }>(sql`show statement_timeout`)
    expect(row?.statement_timeout).toBe('1min')
  }
})
