import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { compareMigrations } from './compare-migrations.ts'
import { readServer } from './read-server.ts'
import { tryWriting } from './try-writing.ts'

const store = await createTestStore()

it('reads what PostgreSQL says of itself', async () => {
  const server = await readServer(store)
  expect(Number.parseInt(server.version, 10)).toBeGreaterThanOrEqual(15)
  for (const number of [server.connectionsLeft, server.workMemBytes, server.databaseBytes])
    expect(number).toBeGreaterThan(0)
})

it('tells missing migrations from those of a later version', async () => {
  expect(await compareMigrations(store)).toEqual({ isEmpty: false, missing: [], unknown: [] })
  await store.query(sql`update migrations set name = '999-later.sql' where name = '002-delivery.sql'`)
  expect(await compareMigrations(store)).toEqual({
    isEmpty: false,
    missing: ['002-delivery.sql'],
    unknown: ['999-later.sql'],
  })
})

it('writes and leaves nothing', async () => {
  expect(await tryWriting(store)).toBeUndefined()
  expect(await tryWriting(store)).toBeUndefined()
})
