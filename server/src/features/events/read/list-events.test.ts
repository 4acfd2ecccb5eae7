import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { addInstallation } from '../events.test-support.ts'
import { trackBulk } from '../track/track-bulk.ts'
import { trackEvent } from '../track/track-event.ts'
import { trackPurchase } from '../track/track-purchase.ts'
import { listEvents } from './list-events.ts'

const store = await createTestStore()
const start = Date.UTC(2026, 1, 1)
const hour = 3_600_000

async function names(ctx: Context, query: Parameters<typeof listEvents>[1]): Promise<string[]> {
  return (await listEvents(ctx, query)).data.map((event) => event.eventName)
}

test('an event comes back with what was stored of it', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara')
  const eventData = { seats: 2 }
  const { id } = await trackPurchase(ctx, {
    userId: 'sara',
    eventName: 'Ticket',
    eventTime: start,
    revenue: 9.9,
    currency: 'eur',
    eventData,
  })
  expect(await listEvents(ctx, { userId: 'sara' })).toEqual({
    data: [
      {
        id,
        userId: 'sara',
        installationId: phone.id,
        eventName: 'Ticket',
        eventTime: start,
        eventData,
        revenue: 9.9,
        currency: 'eur',
      },
    ],
  })
})

test('an event of a user without a device has no installation id', async () => {
  const ctx = await createTestApp(store)
  const { id } = await trackEvent(ctx, { userId: 'alone', eventName: 'Open', eventTime: start })
  expect(await listEvents(ctx, {})).toEqual({ data: [{ id, userId: 'alone', eventName: 'Open', eventTime: start }] })
})

test('the newest event comes first, by the time it happened', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Second', eventTime: start + hour })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Third', eventTime: start + 2 * hour })
  await trackEvent(ctx, { userId: 'sara', eventName: 'First', eventTime: start })
  for (const query of [{}, { userId: 'sara' }]) expect(await names(ctx, query)).toEqual(['Third', 'Second', 'First'])
})

test('filters narrow the list, alone and together', async () => {
  const ctx = await createTestApp(store)
  const phone = await addInstallation(ctx, 'sara', 60)
  const tablet = await addInstallation(ctx, 'sara', 30)
  await trackBulk(ctx, [
    { installationId: phone.id, eventName: 'A', eventTime: start },
    { installationId: tablet.id, eventName: 'b', eventTime: start + hour },
    { installationId: phone.id, eventName: 'B', eventTime: start + 2 * hour },
    { userId: 'omid', eventName: 'b', eventTime: start + 3 * hour },
    { userId: 'omid', eventName: 'Ä', eventTime: start + 4 * hour },
  ])
  expect(await names(ctx, { userId: 'sara' })).toEqual(['B', 'b', 'A'])
  expect(await names(ctx, { installationId: phone.id })).toEqual(['B', 'A'])
  expect(await names(ctx, { userId: 'omid', installationId: phone.id })).toEqual([])
  expect(await names(ctx, { eventName: 'B' })).toEqual(['b', 'B', 'b'])
  expect(await names(ctx, { eventName: 'ä' })).toEqual(['Ä'])
  expect(await names(ctx, { eventName: 'unknown' })).toEqual([])
  expect(await names(ctx, { userId: 'sara', eventName: 'b' })).toEqual(['B', 'b'])
  expect(await names(ctx, { from: start + hour, to: start + 3 * hour })).toEqual(['B', 'b'])
  expect(await names(ctx, { from: '2026-02-01T02:00:00Z', userId: 'omid' })).toEqual(['Ä', 'b'])
  expect(await names(ctx, { to: String(start + hour) })).toEqual(['A'])
})

test.each([[{}], [{ userId: 'sara' }], [{ eventName: 'open' }]])(
  'pages of %j follow one another without gap or repeat',
  async (query) => {
    const ctx = await createTestApp(store)
    const events = Array.from({ length: 57 }, (_, index) => ({
      userId: 'sara',
      eventName: index % 2 ? 'Open' : 'open',
      eventTime: start + Math.floor(index / 5) * hour,
    }))
    await trackBulk(ctx, events)
    const seen: { id: string; eventTime: number }[] = []
    let cursor: string | undefined
    do {
      const page = await listEvents(ctx, { ...query, limit: 10, ...(cursor !== undefined && { cursor }) })
      expect(page.data.length).toBeLessThanOrEqual(10)
      seen.push(...page.data)
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(57)
    expect(seen).toHaveLength(57)
    expect(seen.map(({ eventTime }) => eventTime)).toEqual(
      seen.map(({ eventTime }) => eventTime).toSorted((a, b) => b - a),
    )
  },
)

test('a page has 100 events unless told otherwise, and the last one no cursor', async () => {
  const ctx = await createTestApp(store)
  await trackBulk(
    ctx,
    Array.from({ length: 130 }, () => ({ userId: 'sara', eventName: 'Open' })),
  )
  const first = await listEvents(ctx, {})
  expect(first.data).toHaveLength(100)
  const second = await listEvents(ctx, { cursor: first.cursor as string })
  expect(second.data).toHaveLength(30)
  expect(second).not.toHaveProperty('cursor')
  expect(await listEvents(ctx, { limit: 130 })).not.toHaveProperty('cursor')
})

test('an unknown user has no events; an unknown installation is not found', async () => {
  const ctx = await createTestApp(store)
  expect(await listEvents(ctx, { userId: 'nobody' })).toEqual({ data: [] })
  for (const installationId of ['1f0b7a3e-0c8f-4c53-9c5e-0f7c0f3a9a11', 'x']) {
    await expect(listEvents(ctx, { installationId })).rejects.toMatchObject({ status: 404 })
  }
})

test.each([
  [{ cursor: 'x' }],
  [{ cursor: Buffer.from('5 x').toString('base64url') }],
  [{ from: 'then' }],
  [{ to: 'soon' }],
])('%j is refused', async (query) => {
  const ctx = await createTestApp(store)
  await expect(listEvents(ctx, query)).rejects.toMatchObject({ status: 400 })
})

test('an app sees its own events only', async () => {
  const [left, right] = [await createTestApp(store), await createTestApp(store)]
  const phone = await addInstallation(left, 'sara')
  await trackEvent(left, { userId: 'sara', eventName: 'Left' })
  await trackEvent(right, { userId: 'sara', eventName: 'Right' })
  expect(await names(left, {})).toEqual(['Left'])
  expect(await names(right, { userId: 'sara' })).toEqual(['Right'])
  expect(await names(right, { eventName: 'left' })).toEqual([])
  await expect(listEvents(right, { installationId: phone.id })).rejects.toMatchObject({ status: 404 })
})
