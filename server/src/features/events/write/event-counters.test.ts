import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { openStore } from '#base/store/store.ts'
import { expectCountersAsModelled } from '../counter-model.test-support.ts'
import { addInstallation, readCounters, readEvents } from '../events.test-support.ts'
import { trackBulk } from '../track/track-bulk.ts'
import { trackEvent } from '../track/track-event.ts'
import { trackPurchase } from '../track/track-purchase.ts'
import { trackRevenue } from '../track/track-revenue.ts'

const store = await createTestStore()

const base = Date.UTC(2026, 5, 1)
const hundredths = fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 100)
const anEvent = fc.record(
  {
    subject: fc.constantFrom('one-device', 'two-devices', 'no-device', 'stranger', 'device:0', 'device:1', 'device:2'),
    eventName: fc.constantFrom('Open', 'OPEN', 'Purchase', 'purchase', 'Ticket', 'ÄRGER', 'Rate'),
    eventTime: fc.integer({ min: 0, max: 20 }).map((hours) => base + hours * 3_600_000),
    value: fc.oneof({ weight: 4, arbitrary: hundredths }, fc.constantFrom('text', true, ['a'])),
    revenue: hundredths,
  },
  { requiredKeys: ['subject', 'eventName'] },
)
type AnEvent = { subject: string; eventName: string; eventTime?: number; value?: unknown; revenue?: number }

test('counters are what the stored events say, however the events came', async () => {
  const call = fc.oneof(anEvent, fc.array(anEvent, { minLength: 1, maxLength: 8 }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(call, { maxLength: 12 }), { maxLength: 5 }), async (rounds) => {
      const ctx = await createTestApp(store)
      const devices = [
        await addInstallation(ctx, 'one-device'),
        await addInstallation(ctx, 'two-devices', 9),
        await addInstallation(ctx, 'two-devices', 3),
      ]
      const send = sender(
        ctx,
        devices.map(({ id }) => id),
      )
      for (const round of rounds) await Promise.all(round.map(send))
      expect(await readEvents(ctx)).toHaveLength(rounds.flat(2).length)
      await expectCountersAsModelled(ctx)
    }),
    { numRuns: 40 },
  )
})

test('hundreds of concurrent calls for a few users are all counted', async () => {
  const ctx = await createTestApp(store)
  for (const userId of ['a', 'b', 'c']) await addInstallation(ctx, userId)
  const calls = Array.from({ length: 600 }, (_, index) => {
    const userId = ['a', 'b', 'c', 'alone'][index % 4] as string
    return index % 5 === 0
      ? trackRevenue(ctx, { userId, revenue: 0.1 })
      : trackEvent(ctx, { userId, eventName: index % 2 ? 'Open' : 'open', eventData: { value: 0.01 } })
  })
  const ids = new Set((await Promise.all(calls)).map((answer) => answer.id))
  expect(ids.size).toBe(600)
  expect(await readEvents(ctx)).toHaveLength(600)
  await expectCountersAsModelled(ctx)
  const purchases = (await readCounters(ctx)).filter(({ key }) => key === 'purchase')
  expect(purchases.map(({ count, sum }) => [count, sum])).toEqual([
    [30, 3],
    [30, 3],
    [30, 3],
  ])
})

test('two processes that write the same counters neither lose nor double any, and never block each other', async () => {
  const ctx = await createTestApp(store)
  const users = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const userId of users.slice(0, 4)) await addInstallation(ctx, userId)
  const others = [openStore(store.url, { poolSize: 3 }), openStore(store.url, { poolSize: 3 })]
  try {
    const contexts: Context[] = [ctx, ...others.map((other) => ({ ...ctx, store: other }))]
    const calls = contexts.flatMap((each, process) =>
      Array.from({ length: 60 }, (_, index) =>
        trackBulk(
          each,
          Array.from({ length: 12 }, (_, place) => ({
            userId: users[(index * 7 + place * (process + 1)) % users.length] as string,
            eventName: ['Open', 'Ticket', 'Rate'][(index + place) % 3] as string,
            ...(place % 4 === 0 ? { revenue: 0.1 } : { eventData: { value: place, [`n${index}`]: 1 } }),
          })),
        ),
      ),
    )
    await Promise.all(calls)
    expect(await readEvents(ctx)).toHaveLength(3 * 60 * 12)
    await expectCountersAsModelled(ctx)
  } finally {
    for (const other of others) {
      await other.drain()
      await other.close()
    }
  }
})

test('the last value is that of the newest event, also when older ones come later', async () => {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  const rate = (day: number, value: number) =>
    trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventTime: Date.UTC(2026, 0, day), eventData: { value } })
  await rate(5, 50)
  await rate(3, 30)
  await rate(9, 90)
  await Promise.all([rate(7, 70), rate(1, 10)])
  await trackEvent(ctx, { userId: 'sara', eventName: 'Rate', eventTime: Date.UTC(2026, 0, 20) })
  expect(await readCounters(ctx)).toMatchObject([
    { count: 6, first: Date.UTC(2026, 0, 1), last: Date.UTC(2026, 0, 20), valueCount: 5, sum: 250, lastValue: 90 },
  ])
})

function sender(ctx: Context, devices: string[]) {
  const fieldsOf = ({ subject, eventName, eventTime, value, revenue }: AnEvent) => ({
    ...(subject.startsWith('device:')
      ? { installationId: devices[Number(subject.slice(7))] as string }
      : { userId: subject }),
    eventName,
    ...(eventTime !== undefined && { eventTime }),
    ...(value !== undefined && { eventData: { value } }),
    ...(revenue !== undefined && { revenue }),
  })
  return async (call: AnEvent | AnEvent[]): Promise<unknown> => {
    if (Array.isArray(call)) return trackBulk(ctx, call.map(fieldsOf))
    const { revenue, ...fields } = fieldsOf(call)
    return revenue === undefined ? trackEvent(ctx, fields) : trackPurchase(ctx, { ...fields, revenue })
  }
}
