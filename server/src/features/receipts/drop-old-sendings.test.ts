import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { rememberDays } from '#base/store/clock/proven-time.ts'
import { createPartitions } from '#base/store/partitions.ts'
import type { Store } from '#base/store/store.ts'
import { createCampaign } from '../campaigns/create-campaign.ts'
import { getCampaignCounts } from '../deliveries/read/get-campaign-counts.ts'
import { addInstallation } from '../events/events.test-support.ts'
import { dropOldSendings } from './drop-old-sendings.ts'
import { addMessage } from './receipts.test-support.ts'
import { recordReceipts } from './record-receipts.ts'

const day = 86_400_000
const january = new Date(Date.UTC(2026, 0, 10))

async function openTestStore() {
  const store = await createTestStore()
  await createPartitions(store, january)
  return store
}
const stores = await Promise.all([openTestStore(), openTestStore(), openTestStore()])

/** In a service that has run all the time. */
async function dropAt(store: Store, time: number): Promise<void> {
  const at = new Date(time)
  await rememberDays(store, at)
  await dropOldSendings({ store, now: () => at, log: silentLog })
}

/** A message with all that belongs to one; it expires 30 days later. */
async function send(ctx: Context, at: Date): Promise<string> {
  const phone = await addInstallation(ctx, 'sara')
  const messageId = await addMessage(ctx, ['sara'], at)
  const receipts = [{ messageId, kind: 'shown' as const, actionId: '', happenedAt: at }]
  await recordReceipts(ctx, { installationId: phone.id, receipts })
  return messageId
}

async function rowsOf(ctx: Context): Promise<number[]> {
  const tables = ['messages', 'message_users', 'delivery_batches', 'deliveries', 'receipts']
  return Promise.all(
    tables.map(async (table) => {
      const rows = await ctx.store.query({
        text: `select from ${table} where app_id = $1`,
        values: [ctx.app.id],
      } as never)
      return rows.length
    }),
  )
}

test('a month goes 90 days after its last message expired, with all that belongs to it', async () => {
  const store = stores[0]
  const ctx = await createTestApp(store, { at: () => january })
  await send(ctx, january)
  await send(ctx, new Date(Date.UTC(2026, 1, 10)))
  const run = (time: number) => dropAt(store, time)
  await run(Number(january) + 119 * day)
  expect(await rowsOf(ctx)).toEqual([2, 2, 2, 2, 2])
  await run(Date.UTC(2026, 1, 1) + 121 * day)
  expect(await rowsOf(ctx)).toEqual([1, 1, 1, 1, 1])
  const months = await store.query<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '_202601$'`,
  )
  expect(months).toEqual([{ name: 'events_202601' }])
})

test('a clock that jumps by 500 days drops nothing', async () => {
  const store = stores[2]
  const ctx = await createTestApp(store, { at: () => january })
  await send(ctx, january)
  await dropAt(store, Number(january))
  await dropOldSendings({ store, now: () => new Date(Number(january) + 500 * day), log: silentLog })
  expect(await rowsOf(ctx)).toEqual([1, 1, 1, 1, 1])
})

test('a message that lives long keeps its month, but not the months after it', async () => {
  const store = stores[1]
  const ctx = await createTestApp(store, { at: () => january })
  const immortal = await send(ctx, january)
  await store.query(sql`update messages set expires_at = '2099-01-01' where id = ${immortal}`)
  await send(ctx, new Date(Date.UTC(2026, 1, 10)))
  await dropAt(store, Date.UTC(2027, 0, 1))
  expect(await rowsOf(ctx)).toEqual([1, 1, 1, 1, 1])
  expect(await store.query(sql`select id from messages where app_id = ${ctx.app.id}`)).toEqual([{ id: immortal }])
  await store.query(sql`delete from messages where id = ${immortal}`)
})

test('an app that keeps less loses its rows earlier, and only its own', async () => {
  const store = stores[1]
  await createPartitions(store, january)
  const [short, usual] = [
    await createTestApp(store, { at: () => january }),
    await createTestApp(store, { at: () => january }),
  ]
  await store.query(sql`update apps set settings = '{"retention":{"deliveriesDays":5}}' where app_id = ${short.app.id}`)
  for (const ctx of [short, usual]) await send(ctx, january)
  const run = (time: number) => dropAt(store, time)
  await run(Number(january) + 34 * day)
  expect([await rowsOf(short), await rowsOf(usual)]).toEqual([
    [1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1],
  ])
  await run(Number(january) + 36 * day)
  expect([await rowsOf(short), await rowsOf(usual)]).toEqual([
    [0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1],
  ])
})

test('the counts of a campaign stay when its messages go, and are counted once', async () => {
  const store = stores[1]
  await createPartitions(store, january)
  const [usual, short] = [
    await createTestApp(store, { at: () => january }),
    await createTestApp(store, { at: () => january }),
  ]
  await store.query(sql`update apps set settings = '{"retention":{"deliveriesDays":5}}' where app_id = ${short.app.id}`)
  for (const ctx of [usual, short]) {
    await createCampaign(ctx, { trackId: 'sale' })
    const ids = [await send(ctx, january), await send(ctx, january), await send(ctx, january)]
    await store.query(sql`update messages set track_id = 'sale' where app_id = ${ctx.app.id}`)
    await store.query(sql`update messages set recipients = 20 where app_id = ${ctx.app.id} and id = ${ids[0]}`)
    await store.query(sql`
      insert into delivery_counters (app_id, message_id, slot, state, count, first_at, last_at)
      select app_id, message_id, 3, state, 1, now(), now() from deliveries where app_id = ${ctx.app.id} and message_id = ${ids[0]}`)
    await store.query(sql`delete from delivery_batches where app_id = ${ctx.app.id}`)
  }
  const expected = { messages: 3, count: 22, states: { sent: 3, shown: 3, ended: 0 } }
  for (const days of [0, 36, 60, 160, 161]) {
    await dropAt(store, Number(january) + days * day)
    for (const ctx of [usual, short]) {
      expect(await getCampaignCounts(ctx, { trackId: 'sale' })).toMatchObject(expected)
    }
  }
  for (const ctx of [usual, short]) expect(await rowsOf(ctx)).toEqual([0, 0, 0, 0, 0])
  expect(await store.query(sql`select from delivery_counters`)).toEqual([])
})
