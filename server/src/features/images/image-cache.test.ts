import { randomBytes } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { makePng } from '@peyk/test/images.ts'
import type { Sql } from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Database } from '#base/store/store.ts'
import { deleteImage } from './delete-image.ts'
import { ImageCache } from './image-cache.ts'
import { storeImage } from './store-image.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)

/** What the cache reads goes to the database; `asked` counts it. */
function setUp(options: { maxBytes?: number } = {}) {
  const state = { asked: 0, now: 0 }
  const query = ((statement: Sql) => {
    state.asked++
    return store.query(statement)
  }) as Database['query']
  const cache = new ImageCache({ query } as Database, { ...options, keepMs: 1000, now: () => state.now })
  return { cache, state }
}

async function makeImage(bytes = 100): Promise<{ hash: string; content: Buffer }> {
  const content = makePng(1, 1, { text: randomBytes(bytes).toString('hex') })
  return { content, hash: (await storeImage(ctx, content)).hash }
}

it('reads an image once for all who ask for it', async () => {
  const { cache, state } = setUp()
  const { hash, content } = await makeImage()
  const found = await Promise.all(Array.from({ length: 50 }, () => cache.find(hash)))
  expect(found.every((file) => file?.content.equals(content))).toBe(true)
  await cache.find(hash)
  expect(state.asked).toBe(1)
})

it('forgets what was deleted after a while, and keeps nothing of what is not there', async () => {
  const { cache, state } = setUp()
  const { hash } = await makeImage()
  await cache.find(hash)
  await deleteImage(ctx, { hash })
  expect(await cache.find(hash)).toBeDefined()
  state.now = 1000
  expect(await cache.find(hash)).toBeUndefined()
  expect(await cache.find(hash)).toBeUndefined()
  expect(state.asked).toBe(3)
})

it('keeps no more bytes than it may: what was asked for last', async () => {
  const { cache, state } = setUp({ maxBytes: 2_500 })
  const [first, second, third] = [await makeImage(500), await makeImage(500), await makeImage(500)]
  for (const { hash } of [first, second, first, third]) await cache.find(hash)
  expect(state.asked).toBe(3)
  await cache.find(first.hash)
  expect(state.asked).toBe(3)
  await cache.find(second.hash)
  expect(state.asked).toBe(4)
})

it('asks again when the database did not answer', async () => {
  const { hash } = await makeImage()
  let isAway = true
  const query = ((statement: Sql) =>
    isAway ? Promise.reject(new Error('away')) : store.query(statement)) as Database['query']
  const cache = new ImageCache({ query } as Database)
  await expect(cache.find(hash)).rejects.toThrow('away')
  isAway = false
  expect(await cache.find(hash)).toBeDefined()
})
