import { randomUUID } from 'node:crypto'
import type { WebhookEvent } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { type Database, openStore } from '#base/store/store.ts'
import { forgetInterests, knowInterests, leaveInOutbox, mayInterest } from './outbox.ts'

const store = await createTestStore()

async function subscribe(ctx: Context, events: WebhookEvent[]) {
  await store.query(sql`
    insert into webhooks (app_id, webhook_id, url, sealed_secret, events)
    values (${ctx.app.id}, ${randomUUID()}, 'https://example.com', '', ${events})`)
}
const newUser = (ctx: Context, userId: string) =>
  ({ appId: ctx.app.id, kind: 'user.new', at: new Date(), body: { userId } }) as const
const readOutbox = (ctx: Context) =>
  store.query<{ kind: string; body: object }>(
    sql`select kind, body from outbox where app_id = ${ctx.app.id} order by event_no`,
  )

/** Counts the statements that go through it. */
function counting(): Database & { count: number } {
  const database = {
    count: 0,
    query: (...statement: Parameters<Database['query']>) => {
      database.count++
      return store.query(...statement)
    },
  }
  return database as Database & { count: number }
}

test('only what somebody wants to know is left, in order', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  await subscribe(ctx, ['user.new'])
  await subscribe(other, ['promo.low'])
  forgetInterests(store)
  await leaveInOutbox(store, store, [newUser(ctx, 'a'), newUser(other, 'x'), newUser(ctx, 'b')])
  expect(await readOutbox(ctx)).toEqual([
    { kind: 'user.new', body: { userId: 'a' } },
    { kind: 'user.new', body: { userId: 'b' } },
  ])
  expect(await readOutbox(other)).toEqual([])
})

test('while nobody is interested there is no statement', async () => {
  const ctx = await createTestApp(store)
  forgetInterests(store)
  expect(mayInterest(store, ctx.app.id, 'user.new')).toBe(true)
  await poll(() => mayInterest(store, ctx.app.id, 'user.new')).toBe(false)
  const database = counting()
  await leaveInOutbox(database, store, [newUser(ctx, 'a')])
  expect(database.count).toBe(0)
})

test('a webhook of this process counts at once, one of another process soon', async () => {
  const ctx = await createTestApp(store)
  const other = openStore(store.url, { poolSize: 2 })
  await poll(() => mayInterest(store, ctx.app.id, 'user.new')).toBe(false)
  await poll(() => mayInterest(other, ctx.app.id, 'user.new')).toBe(false)
  await subscribe(ctx, ['user.new'])
  forgetInterests(store)
  expect(mayInterest(store, ctx.app.id, 'user.new')).toBe(true)
  await poll(() => mayInterest(other, ctx.app.id, 'user.new')).toBe(true)
  await poll(() => mayInterest(store, ctx.app.id, 'promo.low')).toBe(false)
  expect(mayInterest(store, ctx.app.id, 'user.new')).toBe(true)
  await other.drain()
  await other.close()
})

test('what is rolled back was not left', async () => {
  const ctx = await createTestApp(store)
  await subscribe(ctx, ['user.new'])
  forgetInterests(store)
  const undone = store.transaction(async (tx) => {
    await leaveInOutbox(tx, store, [newUser(ctx, 'a')])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await readOutbox(ctx)).toEqual([])
})

test('who asks in a transaction needs no other connection', async () => {
  const ctx = await createTestApp(store)
  const small = openStore(store.url, { poolSize: 1 })
  await small.transaction(async (tx) => {
    await knowInterests(small, tx)
    expect(mayInterest(small, ctx.app.id, 'user.new')).toBe(false)
  })
  await small.close()
})
