import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { addDeliveries, addInstallation, readEvents } from '../events.test-support.ts'
import { trackBulk } from '../track/track-bulk.ts'
import { trackClientEvents } from '../track/track-client-events.ts'
import { creditEvents } from './credit-events.ts'
import { openInfluence } from './open-influence.ts'
import { readInfluenced } from './read-influenced.ts'

const store = await createTestStore()
const start = Date.now() - 20 * 3_600_000
const hour = (hours: number) => start + hours * 3_600_000

async function setUp() {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  return { ctx, phone }
}

async function addMessage(ctx: Context): Promise<string> {
  const id = timeOrderedId(start)
  await store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, body)
    values (${ctx.app.id}, ${id}, now(), now(), 1, 'message', 'query', 'default', 'sale', '{}')`)
  return id
}

async function open(ctx: Context, installationNo: number, messageId: string, hours: number) {
  const opening = { appId: ctx.app.id, installationNo, messageId, happenedAt: new Date(hour(hours)) }
  await store.transaction((tx) => openInfluence(tx, [opening, opening], new Date(hour(hours))))
}

const buy = (hours: number, revenue: number, rest: object = { userId: 'sara' }) => ({
  eventName: 'Buy',
  eventTime: hour(hours),
  revenue,
  currency: 'eur',
  ...rest,
})
const run = (hours = 20) => creditEvents({ store, now: () => new Date(hour(hours)) })

test('what a back end tracks within 12 hours after an opening counts for that message, once', async () => {
  const { ctx, phone } = await setUp()
  const id = await addMessage(ctx)
  await addInstallation(ctx, 'omid')
  await open(ctx, phone.no, id, 1)
  await trackBulk(ctx, [
    buy(0.9, 1),
    buy(1.1, 10.1),
    buy(12.9, 0.2, { installationId: phone.id }),
    buy(13.1, 100),
    buy(2, 1000, { userId: 'omid' }),
    { userId: 'sara', eventName: 'Visit', eventTime: hour(2) },
  ])
  await Promise.all([run(), run()])
  await run()
  const expected = { events: 3, directEvents: 0, revenue: { EUR: 10.3 } }
  expect(await readInfluenced(ctx, { messageId: id })).toEqual(expected)
  expect(await readInfluenced(ctx, { trackId: 'sale' })).toEqual(expected)
  const marked = (await readEvents(ctx)).filter((event) => event.influence_message_id !== null)
  expect(marked.map(({ name, influence_direct }) => [name, influence_direct])).toEqual([
    ['Buy', false],
    ['Visit', false],
    ['Buy', false],
  ])
})

test('the last message that was opened counts, and what the device says counts more', async () => {
  const { ctx, phone } = await setUp()
  const [older, newer] = [await addMessage(ctx), await addMessage(ctx)]
  await addDeliveries(ctx, older, [phone])
  await open(ctx, phone.no, older, 1)
  await open(ctx, phone.no, newer, 3)
  await trackBulk(ctx, [buy(2, 1), buy(4, 2)])
  await trackClientEvents(ctx, {
    installationId: phone.id,
    events: [{ id: 'e', eventName: 'Open', createdAt: hour(4), influence: { msgId: older, direct: true } }],
  })
  await run()
  expect(await readInfluenced(ctx, { messageId: older })).toEqual({ events: 2, directEvents: 1, revenue: { EUR: 1 } })
  expect(await readInfluenced(ctx, { messageId: newer })).toEqual({ events: 1, directEvents: 0, revenue: { EUR: 2 } })
})

test('events that come later are counted then, until the time is over', async () => {
  const { ctx, phone } = await setUp()
  const id = await addMessage(ctx)
  await open(ctx, phone.no, id, 1)
  await run(2)
  await trackBulk(ctx, [buy(3, 1)])
  await run(4)
  await run(13)
  await trackBulk(ctx, [buy(5, 1)])
  await run(14.5)
  expect(await readInfluenced(ctx, { messageId: id })).toMatchObject({ events: 2 })
  await trackBulk(ctx, [buy(6, 1)])
  await run(15)
  expect(await readInfluenced(ctx, { messageId: id })).toMatchObject({ events: 2 })
  expect(await store.query(sql`select from influence_windows where app_id = ${ctx.app.id}`)).toEqual([])
})

test('an opening of more than 12 hours ago influences nothing', async () => {
  const { ctx, phone } = await setUp()
  const opening = { appId: ctx.app.id, installationNo: phone.no, messageId: await addMessage(ctx) }
  const happenedAt = new Date(hour(0))
  await store.transaction((tx) => openInfluence(tx, [{ ...opening, happenedAt }], new Date(hour(12))))
  expect(await store.query(sql`select from influence_windows where app_id = ${ctx.app.id}`)).toEqual([])
})

test('thousands of openings are gone through in parts', async () => {
  const { ctx } = await setUp()
  const id = await addMessage(ctx)
  const phones = await Promise.all(Array.from({ length: 30 }, (_, index) => addInstallation(ctx, `user-${index}`)))
  const openings = Array.from({ length: 2_500 }, (_, index) => ({
    appId: ctx.app.id,
    installationNo: phones[index]?.no ?? 1_000_000 + index,
    messageId: id,
    happenedAt: new Date(hour(1)),
  }))
  await store.transaction((tx) => openInfluence(tx, openings, new Date(hour(2))))
  await trackBulk(
    ctx,
    phones.map((phone) => buy(3, 1, { installationId: phone.id })),
  )
  await run(4)
  expect(await readInfluenced(ctx, { messageId: id })).toMatchObject({ events: 30, revenue: { EUR: 30 } })
})
