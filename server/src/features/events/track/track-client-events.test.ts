import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectCountersAsModelled } from '../counter-model.test-support.ts'
import { addDeliveries, addInstallation, giveInstallation, readCounters, readEvents } from '../events.test-support.ts'
import { trackClientEvents } from './track-client-events.ts'

const store = await createTestStore()

test('what a device tracked is stored with the device and its user', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const messageId = randomUUID()
  await addDeliveries(ctx, messageId, [phone])
  const events = [
    { id: 'a', eventName: 'Open', createdAt: 1_700_000_000_000, data: { value: 2 } },
    {
      id: 'b',
      eventName: 'Buy',
      createdAt: 1_700_000_000_001,
      data: { isRevenue: true, value: 5, currency: 'EUR' },
      influence: { msgId: messageId, direct: true },
    },
  ]
  expect(await trackClientEvents(ctx, { installationId: phone.id, events })).toEqual({
    count: 2,
    skipped: 0,
    warnings: [],
  })
  expect(await readEvents(ctx)).toMatchObject([
    { user_id: 'sara', installation_id: phone.id, name: 'Open', influence_message_id: null },
    { name: 'Buy', revenue: 5, currency: 'EUR', data: null, influence_message_id: messageId, influence_direct: true },
  ])
  expect((await readCounters(ctx)).map(({ key, sum }) => [key, sum])).toEqual([
    ['buy', 5],
    ['open', 2],
    ['purchase', 5],
  ])
})

test('an event that comes again with its id is stored once, in the same batch and in later ones', async () => {
  const ctx = await createTestApp(store)
  const [phone, tablet] = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'sara')]
  const events = [
    { id: 'a', eventName: 'Open' },
    { id: 'a', eventName: 'Open' },
    { id: 'b', eventName: 'Open' },
  ]
  const send = (installationId: string) => trackClientEvents(ctx, { installationId, events })
  expect(await send(phone.id)).toMatchObject({ count: 3, skipped: 0 })
  await Promise.all([send(phone.id), send(phone.id), send(tablet.id)])
  expect(await readEvents(ctx)).toHaveLength(4)
  await expectCountersAsModelled(ctx)
})

test('events without an id are stored each time', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  for (let times = 0; times < 2; times++)
    await trackClientEvents(ctx, { installationId: phone.id, events: [{ eventName: 'Open' }] })
  expect(await readEvents(ctx)).toHaveLength(2)
})

test('the same ids from two apps are two events', async () => {
  const [left, right] = [await createTestApp(store), await createTestApp(store)]
  for (const ctx of [left, right]) {
    const phone = await addInstallation(ctx, 'sara')
    await trackClientEvents(ctx, { installationId: phone.id, events: [{ id: 'a', eventName: 'Open' }] })
  }
  expect([await readEvents(left), await readEvents(right)].map((events) => events.length)).toEqual([1, 1])
})

test('the events belong to whoever has the device', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  await giveInstallation(ctx, phone.id, 'omid', false)
  await trackClientEvents(ctx, { installationId: phone.id, events: [{ eventName: 'Open' }] })
  expect(await readEvents(ctx)).toMatchObject([{ user_id: 'omid', installation_id: phone.id }])
})

test('an unknown device is not found', async () => {
  const ctx = await createTestApp(store)
  for (const installationId of [randomUUID(), 'x']) {
    const call = trackClientEvents(ctx, { installationId, events: [{ eventName: 'Open' }] })
    await expect(call).rejects.toMatchObject({ status: 404 })
  }
})

test('values of another type are kept, with a warning', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const send = (stars: unknown) =>
    trackClientEvents(ctx, { installationId: phone.id, events: [{ eventName: 'Rate', data: { stars } }] })
  expect((await send(5)).warnings).toEqual([])
  expect((await send('five')).warnings).toHaveLength(1)
})

test('whatever a device sends, it is stored or skipped', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.option(fc.jsonValue()),
      eventName: fc.oneof(fc.constantFrom('Open', 'Purchase'), fc.jsonValue()),
      createdAt: fc.jsonValue(),
      data: fc.oneof(
        fc.jsonValue(),
        fc.record({ isRevenue: fc.jsonValue(), value: fc.jsonValue(), currency: fc.jsonValue() }),
      ),
      __meta: fc.jsonValue(),
      influence: fc.jsonValue(),
    }),
  )
  const storable = (value: unknown) => !JSON.stringify(value)?.includes('\\u')
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything.filter(storable), { maxLength: 5 }),
      fc.jsonValue(),
      async (events, createdAt) => {
        const answer = await trackClientEvents(ctx, { installationId: phone.id, createdAt, events })
        expect(answer.count + answer.skipped).toBe(events.length)
      },
    ),
    { numRuns: 150 },
  )
})
