import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { addTags } from '../installations/tags/add-tags.ts'
import { inOneTransaction } from './in-one-transaction.ts'

const store = await createTestStore()
const countTags = async (appId: number) =>
  (await store.query<{ count: number }>(sql`select count(*) from user_tags where app_id = ${appId}`))[0]?.count

it('commits what many verbs wrote together', async () => {
  const ctx = await createTestApp(store)
  await inOneTransaction(store, async (inner) => {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        addTags({ ...ctx, store: inner }, { userId: `u${index}`, tags: ['a', 'b'] }),
      ),
    )
    expect(await countTags(ctx.app.id)).toBe(0)
  })
  expect(await countTags(ctx.app.id)).toBe(100)
})

it('leaves nothing behind when one of them fails, not even of those that come later', async () => {
  const ctx = await createTestApp(store)
  const late: Promise<unknown>[] = []
  const work = inOneTransaction(store, async (inner) => {
    late.push(addTags({ ...ctx, store: inner }, { userId: 'u1', tags: ['a'] }))
    await Promise.all([...late, inner.query(sql`select 1 / 0`)])
  })
  await expect(work).rejects.toThrow('division by zero')
  await Promise.allSettled(late)
  expect(await countTags(ctx.app.id)).toBe(0)
})
