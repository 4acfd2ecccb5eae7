import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { addDeliveries, addInstallation, readEvents } from '../events.test-support.ts'
import { trackClientEvents } from '../track/track-client-events.ts'
import { readInfluenced } from './read-influenced.ts'

const store = await createTestStore()

/** A message that was sent to these phones. */
async function addMessage(ctx: Context, phones: { no: number }[], trackId: string | null = null): Promise<string> {
  const id = timeOrderedId(ctx.now())
  await store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, body)
    values (${ctx.app.id}, ${id}, now(), now(), 1, 'message', 'query', 'default', ${trackId}, '{}')`)
  await addDeliveries(ctx, id, phones)
  return id
}

const bought = (msgId: string, value: number, currency?: string, direct = false) => ({
  id: randomUUID(),
  eventName: 'Buy',
  data: { isRevenue: true, value, ...(currency !== undefined && { currency }) },
  influence: { msgId, direct },
})
const none = { events: 0, directEvents: 0, revenue: {} }

test('events and their revenue count for the message they came after, and for its campaign', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const [first, second] = [await addMessage(ctx, [phone], 'sale'), await addMessage(ctx, [phone], 'sale')]
  const events = [
    bought(first, 10.1, 'eur', true),
    bought(first, 0.2, 'EUR'),
    bought(first, 5),
    bought(first, -3, 'IRR', true),
    { id: 'open', eventName: 'Open', influence: { msgId: first.toUpperCase(), direct: true } },
    { id: 'alone', eventName: 'Open' },
    bought(second, 1, 'EUR'),
  ]
  await trackClientEvents(ctx, { installationId: phone.id, events })
  expect(await readInfluenced(ctx, { messageId: first })).toEqual({
    events: 5,
    directEvents: 3,
    revenue: { '': 5, EUR: 10.3, IRR: -3 },
  })
  expect(await readInfluenced(ctx, { messageId: second })).toEqual({ events: 1, directEvents: 0, revenue: { EUR: 1 } })
  expect(await readInfluenced(ctx, { trackId: 'sale' })).toEqual({
    events: 6,
    directEvents: 3,
    revenue: { '': 5, EUR: 11.3, IRR: -3 },
  })
  expect(await readInfluenced(ctx, { trackId: 'other' })).toEqual(none)
})

test('an event that comes again is counted once, from however many connections at a time', async () => {
  const ctx = await createTestApp(store)
  const phones = await Promise.all(['a', 'b', 'c', 'd'].map((user) => addInstallation(ctx, user)))
  const id = await addMessage(ctx, phones)
  const events = Array.from({ length: 20 }, () => bought(id, 1, 'EUR'))
  await Promise.all([...phones, ...phones].map((phone) => trackClientEvents(ctx, { installationId: phone.id, events })))
  expect(await readInfluenced(ctx, { messageId: id })).toEqual({ events: 80, directEvents: 0, revenue: { EUR: 80 } })
})

test('messages that are not there or are another app’s are not counted, and the event is stored', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  const phone = await addInstallation(ctx, 'sara')
  const theirs = await addMessage(other, [phone])
  const unknown = randomUUID()
  const events = [bought(theirs, 1, 'EUR'), bought(unknown, 1, 'EUR')]
  expect(await trackClientEvents(ctx, { installationId: phone.id, events })).toMatchObject({ count: 2 })
  for (const [each, messageId] of [
    [ctx, theirs],
    [other, theirs],
    [ctx, unknown],
  ] as const) {
    expect(await readInfluenced(each, { messageId })).toEqual(none)
  }
})

test('any text may be the currency', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const id = await addMessage(ctx, [phone])
  const events = [bought(id, 2, 'x'.repeat(5_000)), bought(id, 3, '__proto__')]
  await trackClientEvents(ctx, { installationId: phone.id, events })
  const { revenue } = await readInfluenced(ctx, { messageId: id })
  expect(Object.entries(revenue)).toEqual([
    ['', 2],
    ['__PROTO__', 3],
  ])
})

test('what strangers bought counts for no message of others, and is stored all the same', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const strangers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => addInstallation(ctx, `stranger-${index}`)),
  )
  const id = await addMessage(ctx, [phone], 'sale')
  const buy = (installationId: string, value: number) =>
    trackClientEvents(ctx, { installationId, events: [bought(id, value, 'EUR', true)] })
  const answers = await Promise.all([buy(phone.id, 5), ...strangers.map((each) => buy(each.id, 1_000_000))])
  expect(answers).toEqual(answers.map(() => ({ count: 1, skipped: 0, warnings: [] })))
  const own = { events: 1, directEvents: 1, revenue: { EUR: 5 } }
  expect(await readInfluenced(ctx, { messageId: id })).toEqual(own)
  expect(await readInfluenced(ctx, { trackId: 'sale' })).toEqual(own)
  const stored = await readEvents(ctx)
  expect(stored).toHaveLength(51)
  expect(stored.filter(({ influence_message_id }) => influence_message_id !== null)).toMatchObject([{ revenue: 5 }])
})

test('an event may come before the answer of the provider is stored', async () => {
  const ctx = await createTestApp(store)
  const [phone, stranger] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'omid')]
  const id = await addMessage(ctx, [])
  const track = ({ id: installationId }: { id: string }) =>
    trackClientEvents(ctx, { installationId, events: [bought(id, 5, 'EUR')] })
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, attempts, installation_nos)
    values (${ctx.app.id}, ${id}, 'group', 'fcm', 1, ${[phone.no]}::bigint[]),
      (${ctx.app.id}, ${id}, 'group', 'fcm', 0, ${[stranger.no]}::bigint[])`)
  await Promise.all([track(phone), track(stranger)])
  expect(await readInfluenced(ctx, { messageId: id })).toMatchObject({ events: 1, revenue: { EUR: 5 } })
})
