import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { addInstallation, readCounters, readEvents, tickingClock } from '../events.test-support.ts'
import { trackBulk } from './track-bulk.ts'

const store = await createTestStore()

test('an array of the three kinds is stored, in its order', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const eventTime = Date.UTC(2026, 2, 1)
  const answer = await trackBulk(ctx, [
    { userId: 'sara', eventName: 'Open', eventTime },
    { installationId: phone.id, eventName: 'Ticket', revenue: 9.5, currency: 'EUR', eventTime: eventTime + 1 },
    { userId: 'omid', revenue: 3, eventTime: eventTime + 2 },
  ])
  expect(answer).toEqual({ queued: true, n: 3 })
  const events = await readEvents(ctx)
  expect(
    events.map(({ name, user_id, installation_id, revenue }) => [name, user_id, installation_id, revenue]),
  ).toEqual([
    ['Open', 'sara', phone.id, null],
    ['Ticket', 'sara', phone.id, 9.5],
    ['Purchase', 'omid', null, 3],
  ])
})

test('a thousand events go in one request', async () => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  const events = Array.from({ length: 1000 }, (_, index) => ({
    userId: 'sara',
    eventName: 'Open',
    eventData: { value: index },
  }))
  expect(await trackBulk(ctx, events)).toEqual({ queued: true, n: 1000 })
  expect(await readCounters(ctx)).toMatchObject([{ key: 'open', count: 1000, sum: 499_500 }])
  await expect(trackBulk(ctx, [...events, ...events])).rejects.toMatchObject({ status: 413 })
})

const unknown = '1f0b7a3e-0c8f-4c53-9c5e-0f7c0f3a9a11'

test.each([
  ['has no name and no revenue', { userId: 'sara' }, 400, 'Element 1: "eventName" is required.', 'eventName'],
  ['has no subject', { eventName: 'Open' }, 400, 'Element 1: "userId" or "installationId" is required.', 'userId'],
  [
    'has a nested value',
    { userId: 'sara', eventName: 'Open', eventData: { a: {} } },
    400,
    'Element 1: "eventData.a"',
    'eventData.a',
  ],
  ['has a wrong time', { userId: 'sara', eventName: 'Open', eventTime: 5 }, 400, 'Element 1: "eventTime"', 'eventTime'],
  [
    'names an installation that is not there',
    { installationId: unknown, eventName: 'Open' },
    404,
    'Element 1: There is no installation',
    undefined,
  ],
])('an element that %s fails the whole array', async (_, element, status, message, field) => {
  const ctx = await createTestApp(store)
  const call = trackBulk(ctx, [{ userId: 'sara', eventName: 'Open' }, element])
  const details = field === undefined ? { index: 1 } : { index: 1, field }
  await expect(call).rejects.toMatchObject({ status, message: expect.stringContaining(message), details })
  expect(await readEvents(ctx)).toEqual([])
  expect(await store.query(sql`select from users where app_id = ${ctx.app.id}`)).toEqual([])
})

test('an array that fails does not fail those that were sent with it', async () => {
  const ctx = await createTestApp(store, { at: tickingClock() })
  const results = await Promise.allSettled([
    trackBulk(ctx, [{ userId: 'a', eventName: 'Open' }]),
    trackBulk(ctx, [{ installationId: unknown, eventName: 'Open' }]),
    trackBulk(ctx, [{ userId: 'b', eventName: 'Open' }]),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await readEvents(ctx)).map((event) => event.user_id)).toEqual(['a', 'b'])
})

test('warnings name their element', async () => {
  const ctx = await createTestApp(store)
  const { warnings } = await trackBulk(ctx, [
    { userId: 'sara', eventName: 'Rate', eventData: { stars: 5 } },
    { userId: 'sara', eventName: 'Rate', eventData: { stars: 'five' }, eventTime: 1_700_000_000 },
  ])
  expect(warnings).toEqual([
    expect.stringMatching(/^Element 1: "eventTime"/),
    expect.stringMatching(/^Element 1: "eventData.stars"/),
  ])
})
