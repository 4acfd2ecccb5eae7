import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Store } from './store.ts'
import { promiseToRead, waitForOlderWriters } from './wait-for-older-writers.ts'

const store = await createTestStore()

it('waits for who has read from a table and may write, and for nobody who comes later', async () => {
  let isOver = false
  const { waiting } = await store.transaction(async (older) => {
    await older.query(sql`select from users`)
    const firstLook = Promise.withResolvers<void>()
    const query: Store['query'] = async (statement, name) => {
      const rows = await store.query<never>(statement, name)
      firstLook.resolve()
      return rows
    }
    const waiting = waitForOlderWriters({ ...store, query }).then(() => {
      isOver = true
    })
    await firstLook.promise
    await expect(waitForOlderWriters(store, 0)).rejects.toMatchObject({ code: 'store-busy', status: 503 })
    expect(isOver).toBe(false)
    return { waiting }
  })
  await store.transaction(async (later) => {
    await later.query(sql`select from users`)
    await waiting
  })
  expect(isOver).toBe(true)
})

it('does not wait for who only reads, has asked for nothing yet, or fills a set of codes', async () => {
  await store
    .transaction(async (reader) => {
      await promiseToRead(reader)
      await reader.query(sql`select from users`)
      await waitForOlderWriters(store, 0)
      await expect(reader.query(sql`delete from users`)).rejects.toThrow('read-only')
    })
    .catch((error: Error) => expect(error.message).toContain('rolled back'))
  await store.transaction(async (idle) => {
    await idle.query(sql`select pg_advisory_xact_lock(1)`)
    await waitForOlderWriters(store, 0)
  })
  await store.transaction(async (upload) => {
    await upload.query(sql`select from promo_codes`)
    await waitForOlderWriters(store, 0)
  })
})
