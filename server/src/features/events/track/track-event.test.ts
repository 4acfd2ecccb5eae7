import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { runOnce } from '#base/idempotency/idempotency.ts'
import { timeOfId } from '#base/ids.ts'
import {
  addInstallation,
  giveInstallation,
  readCounters,
  readEvents,
  readUserCounters,
  tickingClock,
} from '../events.test-support.ts'
import { trackEvent } from './track-event.ts'
import { trackPurchase } from './track-purchase.ts'
import { trackRevenue } from './track-revenue.ts'

const store = await createTestStore()

test('an event is stored with name, time and data, and its id is answered', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const eventTime = Date.UTC(2026, 0, 5, 10)
  const eventData = { sku: 'A-17', price: 12.5, isNew: true, tags: ['a', 'b'], at: '2026-01-05T10:00:00Z', none: null }
  const answer = await trackEvent(ctx, { installationId: phone.id, eventName: 'AddToCart', eventTime, eventData })
  expect(answer).toEqual({ queued: true, n: 1, id: expect.any(String) })
  const { none: _, ...kept } = eventData
  expect(await readEvents(ctx)).toEqual([
    {
      id: answer.id,
      user_id: 'sara',
      installation_id: phone.id,
      event_at: new Date(eventTime),
      name: 'AddToCart',
      data: kept,
      revenue: null,
      currency: null,
      influence_message_id: null,
      influence_direct: null,
    },
  ])
})

test('without eventTime the receive time is the event time', async () => {
  const at = new Date(Date.UTC(2026, 3, 1, 8, 30, 0, 123))
  const ctx = await createTestApp(store, { at: () => at })
  const { id } = await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const [event] = await readEvents(ctx)
  expect(event?.event_at).toEqual(at)
  expect(timeOfId(id)).toEqual(at)
})

test('a time in seconds is recognised, with a warning', async () => {
  const ctx = await createTestApp(store)
  const answer = await trackEvent(ctx, { userId: 'sara', eventName: 'Open', eventTime: 1_700_000_000 })
  expect(answer.warnings).toEqual(['"eventTime" 1700000000 was taken as seconds: expected epoch milliseconds.'])
  expect((await readEvents(ctx))[0]?.event_at).toEqual(new Date(1_700_000_000_000))
})

test.each([
  [
    'a time before 2000',
    { eventTime: 100 },
    '"eventTime": expected epoch milliseconds or an ISO 8601 date, from the year 2000 to 24 hours ahead, got 100.',
    'eventTime',
  ],
  ['a time that is none', { eventTime: 'soon' }, 'got "soon"', 'eventTime'],
  [
    'an object in an array that cannot be made a text',
    { eventData: { tags: [{ toString: null, valueOf: 1 }, 'sale'] } },
    '"eventData.tags": expected a text, number, boolean, date or array of texts, got [{"toString":null,"valueOf":1},"sale"].',
    'eventData.tags',
  ],
  [
    'a nested object',
    { eventData: { cart: { id: 1 } } },
    '"eventData.cart": expected a text, number, boolean, date or array of texts, got {"id":1}.',
    'eventData.cart',
  ],
  ['a mixed array', { eventData: { list: ['a', 1] } }, '"eventData.list"', 'eventData.list'],
  ['an array of numbers', { eventData: { list: [1, 2] } }, '"eventData.list"', 'eventData.list'],
  [
    'a name of data that is too long',
    { eventData: { ['ß'.repeat(128)]: 1 } },
    '"eventData": expected names of at most 255 bytes',
    'eventData',
  ],
])('%s is refused and named, and nothing is stored', async (_, fields, message, field) => {
  const ctx = await createTestApp(store)
  const call = trackEvent(ctx, { userId: 'sara', eventName: 'Open', ...fields })
  await expect(call).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
    details: { field },
  })
  expect(await readEvents(ctx)).toEqual([])
})

test('neither userId nor installationId is refused', async () => {
  const ctx = await createTestApp(store)
  await expect(trackEvent(ctx, { eventName: 'Open' })).rejects.toMatchObject({
    status: 400,
    message: '"userId" or "installationId" is required.',
  })
})

test('an empty array as eventData means no data', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open', eventData: [] })
  expect((await readEvents(ctx))[0]?.data).toBeNull()
})

test('by userId the event goes to the device of the newest login', async () => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara', 60)
  const newest = await addInstallation(ctx, 'sara', 5)
  await addInstallation(ctx, 'sara', 30)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  expect((await readEvents(ctx))[0]?.installation_id).toBe(newest.id)
})

test('an uninstalled device does not count while another exists', async () => {
  const ctx = await createTestApp(store)
  const older = await addInstallation(ctx, 'sara', 60)
  const newest = await addInstallation(ctx, 'sara', 5)
  await uninstall(newest.id)
  await trackEvent(ctx, { userId: 'sara', eventName: 'First' })
  await uninstall(older.id)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Second' })
  const byName = new Map((await readEvents(ctx)).map((event) => [event.name, event.installation_id]))
  expect(byName).toEqual(
    new Map([
      ['First', older.id],
      ['Second', newest.id],
    ]),
  )

  function uninstall(id: string) {
    return store.query(sql`update installations set uninstalled_at = now() where app_id = ${ctx.app.id} and id = ${id}`)
  }
})

test('a device that was logged out keeps the events of its last user, unless the user has another', async () => {
  const ctx = await createTestApp(store, { at: tickingClock() })
  const phone = await addInstallation(ctx, 'sara', 5)
  await giveInstallation(ctx, phone.id, 'guest-1', true)
  await trackEvent(ctx, { userId: 'sara', eventName: 'First' })
  const tablet = await addInstallation(ctx, 'sara', 60)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Second' })
  const events = await readEvents(ctx)
  expect(events.map((event) => [event.name, event.user_id, event.installation_id])).toEqual([
    ['First', 'sara', phone.id],
    ['Second', 'sara', tablet.id],
  ])
})

test('where the last device is somebody else’s now, the event stays with the user alone', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  await giveInstallation(ctx, phone.id, 'omid', false)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const [event] = await readEvents(ctx)
  expect(event).toMatchObject({ user_id: 'sara', installation_id: null })
  expect(await readCounters(ctx)).toEqual([])
  expect(await readUserCounters(ctx)).toMatchObject([{ key: 'open', count: 1 }])
})

test('an unknown user is made and has the event alone', async () => {
  const ctx = await createTestApp(store)
  await Promise.all(Array.from({ length: 20 }, () => trackEvent(ctx, { userId: 'new', eventName: 'Open' })))
  const events = await readEvents(ctx)
  expect(events).toHaveLength(20)
  expect(events.every((event) => event.user_id === 'new' && event.installation_id === null)).toBe(true)
  expect(await readUserCounters(ctx)).toMatchObject([{ key: 'open', count: 20 }])
})

test.each([['1f0b7a3e-0c8f-4c53-9c5e-0f7c0f3a9a11'], ['not-a-uuid']])(
  'the unknown installation %s is not found',
  async (installationId) => {
    const ctx = await createTestApp(store)
    const neighbour = trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
    await expect(trackEvent(ctx, { installationId, eventName: 'Open' })).rejects.toMatchObject({ status: 404 })
    await neighbour
    expect(await readEvents(ctx)).toHaveLength(1)
  },
)

test('with both ids the installation decides, and must be the user’s', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara', 60)
  await addInstallation(ctx, 'sara', 5)
  const foreign = await addInstallation(ctx, 'omid')
  await trackEvent(ctx, { userId: 'sara', installationId: phone.id, eventName: 'Open' })
  for (const userId of ['sara', 'nobody']) {
    const call = trackEvent(ctx, { userId, installationId: foreign.id, eventName: 'Open' })
    await expect(call).rejects.toMatchObject({ status: 400, message: expect.stringContaining(`"${userId}"`) })
  }
  const events = await readEvents(ctx)
  expect(events.map((event) => event.installation_id)).toEqual([phone.id])
})

test('a device that was logged out is still the user’s when both ids name it', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  await giveInstallation(ctx, phone.id, 'guest-1', true)
  await trackEvent(ctx, { userId: 'sara', installationId: phone.id, eventName: 'Open' })
  expect(await readEvents(ctx)).toMatchObject([{ user_id: 'sara', installation_id: phone.id }])
})

test('an installation id may be in capitals', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  await trackEvent(ctx, { installationId: phone.id.toUpperCase(), eventName: 'Open' })
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: phone.id }])
})

test('two apps with the same user ids never meet', async () => {
  const [left, right] = [await createTestApp(store), await createTestApp(store)]
  const phone = await addInstallation(left, 'sara')
  await Promise.all([
    trackEvent(left, { userId: 'sara', eventName: 'Open', eventData: { value: 1 } }),
    trackEvent(right, { userId: 'sara', eventName: 'Open', eventData: { value: 'one' } }),
  ])
  await expect(trackEvent(right, { installationId: phone.id, eventName: 'Open' })).rejects.toMatchObject({
    status: 404,
  })
  expect(await readEvents(left)).toMatchObject([{ installation_id: phone.id, data: { value: 1 } }])
  expect(await readEvents(right)).toMatchObject([{ installation_id: null, data: { value: 'one' } }])
})

test('a value keeps the type of its first use per event and name; another is stored, with a warning, and not counted', async () => {
  const ctx = await createTestApp(store, { at: tickingClock() })
  await addInstallation(ctx, 'sara')
  const track = (eventName: string, value: unknown) =>
    trackEvent(ctx, { userId: 'sara', eventName, eventData: { value } })
  expect((await track('Rate', 5)).warnings).toBeUndefined()
  expect((await track('RATE', 'five')).warnings).toEqual([
    '"eventData.value" is a text, but was a number when "RATE" first had it: it is kept and takes no part in segments.',
  ])
  expect((await track('Rate', 7)).warnings).toBeUndefined()
  expect((await track('Other', 'five')).warnings).toBeUndefined()
  expect((await track('Other', 5)).warnings).toHaveLength(1)
  expect((await readEvents(ctx)).map((event) => event.data?.value)).toEqual([5, 'five', 7, 'five', 5])
  expect(await readCounters(ctx)).toMatchObject([
    { key: 'other', count: 2, valueCount: 0, sum: null },
    { key: 'rate', count: 3, valueCount: 2, sum: 12 },
  ])
})

test('of two first uses at the same moment the first in order gives the type', async () => {
  const ctx = await createTestApp(store)
  const [first, second] = await Promise.all([
    trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventData: { stars: 5 } }),
    trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventData: { stars: 'five' } }),
  ])
  expect([first.warnings, second.warnings?.length]).toEqual([undefined, 1])
})

test('what another process has stored of types is found', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventData: { stars: 5 } })
  await store.query(sql`insert into event_value_names values (${ctx.app.id}, 'rate', 'color', 'number')`)
  const data = { stars: 4, color: 'red' }
  expect((await trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventData: data })).warnings).toHaveLength(1)
})

test('a type that was rolled back is not remembered', async () => {
  const ctx = await createTestApp(store)
  const failed = store.transaction(async (tx) => {
    await trackEvent({ ...ctx, tx }, { userId: 'sara', eventName: 'Rate', eventData: { stars: 5 } })
    await trackEvent({ ...ctx, tx }, { userId: 'sara', eventName: 'Rate', eventData: { stars: 5 } })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  const answer = await trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventData: { stars: 'five' } })
  expect(answer.warnings).toBeUndefined()
})

test('a purchase counts under its name and under purchase', async () => {
  const ctx = await createTestApp(store, { at: tickingClock() })
  const phone = await addInstallation(ctx, 'sara')
  await trackPurchase(ctx, {
    userId: 'sara',
    eventName: 'Ticket',
    revenue: 0.1,
    currency: 'eur',
    eventData: { value: 99 },
  })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Ticket', revenue: 0.2 })
  const answer = await trackPurchase(ctx, { userId: 'sara', eventName: 'PURCHASE', revenue: -0.3 })
  expect(answer).toEqual({ queued: true, n: 1, id: expect.any(String) })
  expect((await readEvents(ctx)).map(({ name, revenue, currency }) => [name, revenue, currency])).toEqual([
    ['Ticket', 0.1, 'eur'],
    ['Ticket', 0.2, null],
    ['PURCHASE', -0.3, null],
  ])
  expect(await readCounters(ctx)).toMatchObject([
    { owner: phone.no, key: 'purchase', count: 3, valueCount: 3, sum: 0, min: -0.3, max: 0.2, lastValue: -0.3 },
    { owner: phone.no, key: 'ticket', count: 2, valueCount: 2, sum: 0.3, min: 0.1, max: 0.2, lastValue: 0.2 },
  ])
})

test('an event named purchase without revenue is stored and counts under no key', async () => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  await trackEvent(ctx, { userId: 'sara', eventName: 'Purchase', eventData: { value: 5 } })
  await trackEvent(ctx, { userId: 'alone', eventName: 'Purchase' })
  expect(await readEvents(ctx)).toHaveLength(2)
  expect(await readCounters(ctx)).toEqual([])
  expect((await readUserCounters(ctx)).map((row) => row.key)).toEqual([''])
})

test('trackRevenue is named Purchase, whatever name came with it', async () => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  const withName = { userId: 'sara', revenue: 5, eventName: 'Other' }
  await trackRevenue(ctx, withName)
  expect(await readEvents(ctx)).toMatchObject([{ name: 'Purchase', revenue: 5 }])
  expect(await readCounters(ctx)).toMatchObject([{ key: 'purchase', count: 1, sum: 5 }])
})

test('a revenue that is no number is refused', async () => {
  const ctx = await createTestApp(store)
  const revenue = Number.POSITIVE_INFINITY
  await expect(trackRevenue(ctx, { userId: 'sara', revenue })).rejects.toMatchObject({ status: 400 })
})

test('odd but legal numbers and names come back as they went', async () => {
  const ctx = await createTestApp(store, { at: tickingClock() })
  await addInstallation(ctx, 'sara')
  const data = { big: 1e300, tiny: 5e-324, quote: `"\\',{}`, newline: 'a\nb', emoji: '🛒', 'o\'key{},\\"': 'x' }
  await trackPurchase(ctx, {
    userId: 'sara',
    eventName: `A "quoted\\" {name}, NULL`,
    revenue: 1e21,
    currency: '{"}',
    eventData: data,
  })
  await trackEvent(ctx, { userId: 'sara', eventName: 'NULL', eventData: { value: -1e-7 } })
  const [first, second] = await readEvents(ctx)
  expect(first).toMatchObject({ name: `A "quoted\\" {name}, NULL`, revenue: 1e21, currency: '{"}', data })
  expect(second).toMatchObject({ name: 'NULL', data: { value: -1e-7 } })
  expect(await readCounters(ctx)).toContainEqual(expect.objectContaining({ key: 'null', sum: -1e-7 }))
})

test('a request with an idempotency key has its effect in the key’s transaction, once', async () => {
  const ctx = await createTestApp(store)
  const request = { route: 'POST /track', key: randomUUID(), bodyHash: Buffer.from('same') }
  const run = () => runOnce(ctx, request, (inner) => trackEvent(inner, { userId: 'sara', eventName: 'Open' }))
  const first = await run()
  const second = await run()
  expect(second).toEqual({ answer: first.answer, isReplay: true })
  expect(await readEvents(ctx)).toHaveLength(1)
})
