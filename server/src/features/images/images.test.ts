import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { makePng, sampleImages } from '@peyk/test/images.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { deleteImage } from './delete-image.ts'
import { ImageCache } from './image-cache.ts'
import { listImages } from './list-images.ts'
import { storeImage } from './store-image.ts'

const store = await createTestStore()
const start = Date.parse('2026-11-15T10:00:00Z')

async function setUp(): Promise<Context> {
  let minutes = 0
  const ctx = await createTestApp(store, { at: () => new Date(start + minutes++ * 60_000) })
  return { ...ctx, member: { id: 'x', email: 'sara@shop.example', role: 'admin' } }
}

const pngOf = (bytes: number) => makePng(1, 1, { text: 'x'.repeat(bytes - makePng(1, 1).length) })

describe('an image', () => {
  it('is kept with its size, its hash and who uploaded it', async () => {
    const ctx = await setUp()
    const stored = await storeImage(ctx, sampleImages.jpeg)
    expect(stored).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: 'image/jpeg',
      width: 40,
      height: 24,
      bytes: sampleImages.jpeg.length,
    })
    const { data, total } = await listImages(ctx, {})
    expect(data).toEqual([{ ...stored, createdAt: start, createdBy: 'sara@shop.example' }])
    expect(total).toMatchObject({ count: 1, bytes: stored.bytes })
    expect(await new ImageCache(store).find(stored.hash)).toEqual({ type: 'image/jpeg', content: sampleImages.jpeg })
  })

  it('is one of an app, however often it comes, and each app has its own', async () => {
    const [ctx, other] = [await setUp(), await setUp()]
    const content = makePng(3, 3, { text: 'shared' })
    const all = await Promise.all(Array.from({ length: 5 }, () => storeImage(ctx, content)))
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(1)
    const { hash } = await storeImage(other, content)
    expect((await listImages(ctx, {})).total.count).toBe(1)
    await deleteImage(ctx, { hash })
    expect((await listImages(ctx, {})).data).toEqual([])
    await expect(deleteImage(ctx, { hash })).rejects.toMatchObject({ code: 'not-found' })
    expect(await new ImageCache(store).find(hash)).toBeDefined()
    await deleteImage(other, { hash })
    expect(await new ImageCache(store).find(hash)).toBeUndefined()
  })

  it('is listed page by page, the newest first', async () => {
    const ctx = await setUp()
    const hashes: string[] = []
    for (const text of ['a', 'b', 'c']) hashes.unshift((await storeImage(ctx, makePng(2, 2, { text }))).hash)
    const first = await listImages(ctx, { limit: 2 })
    const second = await listImages(ctx, { limit: 2, ...(first.cursor && { cursor: first.cursor }) })
    expect([...first.data, ...second.data].map(({ hash }) => hash)).toEqual(hashes)
    expect(second.cursor).toBeUndefined()
    await expect(listImages(ctx, { cursor: '!' })).rejects.toMatchObject({ code: 'invalid-request' })
  })

  it('is refused when it is no image, or too large in bytes or pixels', async () => {
    const ctx = await setUp()
    const code = (content: Buffer) =>
      storeImage(ctx, content).then(
        () => 'stored',
        (error) => error.code,
      )
    expect(await code(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('invalid-image')
    expect(await code(pngOf(limits.imageBytes + 1))).toBe('too-large')
    expect(await code(pngOf(limits.imageBytes))).toBe('stored')
    expect(await code(makePng(limits.imageSide + 1, 1))).toBe('invalid-image')
    expect(await code(makePng(1, limits.imageSide + 1))).toBe('invalid-image')
    expect(await code(makePng(limits.imageSide, 1))).toBe('stored')
    expect((await listImages(ctx, {})).total.count).toBe(2)
  })

  it('is refused when the app has no room, and taken again when there is some', async () => {
    const ctx = await setUp()
    const known = await storeImage(ctx, sampleImages.gif)
    const content = sampleImages.png
    const fill = (bytes: number) => sql`
      update images set bytes = ${bytes} where app_id = ${ctx.app.id} and hash = ${known.hash}`
    await store.query(fill(limits.imageBytesPerApp - content.length + 1))
    await expect(storeImage(ctx, content)).rejects.toMatchObject({ code: 'limit-reached', status: 422 })
    expect(await storeImage(ctx, sampleImages.gif)).toEqual(known)
    await store.query(fill(limits.imageBytesPerApp - content.length))
    await storeImage(ctx, content)
  })

  it('is refused when the app has as many as it may, also when many come at once', async () => {
    const ctx = await setUp()
    await store.query(sql`
      insert into images (app_id, hash, type, width, height, bytes, created_at, created_by, content)
      select ${ctx.app.id}, md5(i::text), 'image/png', 1, 1, 1, ${ctx.now()}, '', ''
      from generate_series(1, ${limits.imagesPerApp - 1}) i`)
    const attempts = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((text) => storeImage(ctx, makePng(2, 2, { text }))),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await listImages(ctx, { limit: 1 })).total.count).toBe(limits.imagesPerApp)
  })
})
