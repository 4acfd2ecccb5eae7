import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, test } from 'vitest'
import { readClientEvent } from './read-client-event.ts'
import { readClientTime } from './read-client-time.ts'

const store = await createTestStore()
const now = new Date(Date.UTC(2026, 10, 15, 12))
const ctx = await createTestApp(store, { at: () => now })
const installationId = '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11'
const messageId = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
const read = (sent: unknown, at?: number) => readClientEvent(ctx, sent, { installationId, at })

test('an event is read with its id, name, time and data', () => {
  const sent = { id: 'e1', eventName: 'OpenPage', createdAt: Number(now) - 5000, data: { page: '/', count: 2 } }
  expect(read(sent)).toMatchObject({
    draft: {
      installationId,
      userId: undefined,
      clientEventId: 'e1',
      name: 'OpenPage',
      key: 'openpage',
      eventAt: Number(now) - 5000,
      data: { page: '/', count: 2 },
      revenue: null,
      influence: null,
    },
    warnings: [],
  })
})

test.each([
  [Number(now) - 1, Number(now) - 1],
  [String(Number(now) - 1), Number(now) - 1],
  ['2026-11-14T12:00:00.000Z', Date.UTC(2026, 10, 14, 12)],
  ['Sat Nov 14 2026 12:00:00 GMT+0000 (Coordinated Universal Time)', Date.UTC(2026, 10, 14, 12)],
  [Number(now) / 1000, Number(now)],
  ['yesterday', undefined],
  ['', undefined],
  [null, undefined],
  [{ $date: 5 }, undefined],
  [5, undefined],
  [Number(now) + 90_000_000, undefined],
])('createdAt %j is read as %j', (sent, at) => {
  expect(readClientTime(sent, Number(now))).toBe(at)
  const event = read({ eventName: 'Open', createdAt: sent })
  expect(event?.draft.eventAt).toBe(at ?? Number(now))
})

test('an event without a time has the time of its batch', () => {
  expect(read({ eventName: 'Open' }, 1_700_000_000_000)?.draft.eventAt).toBe(1_700_000_000_000)
})

test('revenue goes from the data to the event’s own fields', () => {
  const data = { isRevenue: true, value: 9.5, currency: 'EUR', sku: 'A' }
  expect(read({ eventName: 'Buy', data })?.draft).toMatchObject({
    revenue: 9.5,
    value: 9.5,
    currency: 'EUR',
    data: { sku: 'A' },
  })
  expect(read({ eventName: 'Buy', data: { isRevenue: 'true', value: '9.5' } })?.draft).toMatchObject({
    revenue: 9.5,
    currency: null,
    data: null,
  })
})

test.each([[{ isRevenue: true, value: 'a lot' }], [{ isRevenue: true }], [{ isRevenue: false, value: 5 }]])(
  '%j is no revenue, and stays data',
  (data) => {
    expect(read({ eventName: 'Buy', data })?.draft).toMatchObject({ revenue: null, data })
  },
)

test('dates travel as milliseconds and are stored as dates', () => {
  const at = Date.UTC(2026, 0, 1)
  const __meta = { keys: { born: { type: 'date' }, text: { type: 'date' } } }
  const event = read({ eventName: 'Open', data: { born: at, text: String(at), other: at }, __meta })
  expect(event?.draft.data).toEqual({ born: '2026-01-01T00:00:00.000Z', text: '2026-01-01T00:00:00.000Z', other: at })
})

test.each([
  [
    { msgId: messageId, direct: true },
    { messageId, isDirect: true },
  ],
  [
    { messageId, direct: false },
    { messageId, isDirect: false },
  ],
  [
    { msgId: messageId.toUpperCase(), direct: 'true' },
    { messageId: messageId.toUpperCase(), isDirect: true },
  ],
  [{ msgId: 'x' }, null],
  [{}, null],
  ['text', null],
  [null, null],
])('the influence %j is read as %j', (influence, expected) => {
  expect(read({ eventName: 'Open', influence })?.draft.influence).toEqual(expected)
})

test.each([
  [12, true],
  [12.01, false],
  [0, true],
  [-1, true],
])('a receipt %d hours before the event influences it: %s', (hours, isInfluence) => {
  const createdAt = Date.UTC(2026, 9, 1)
  const influence = { msgId: messageId, actionTs: createdAt - hours * 3_600_000 }
  const event = read({ eventName: 'Open', createdAt, influence })
  expect(event?.draft.influence).toEqual(isInfluence ? { messageId, isDirect: false } : null)
})

test('values that events cannot hold are left out, with a warning', () => {
  const data = { ok: 1, nested: { a: 1 }, mixed: ['a', 1], none: null, ['x'.repeat(300)]: 1 }
  const event = read({ eventName: 'Open', data })
  expect(event?.draft.data).toEqual({ ok: 1 })
  expect(event?.warnings).toHaveLength(3)
})

test.each([[[]], [null], ['text'], [5], [undefined]])('data %j means none', (data) => {
  expect(read({ eventName: 'Open', data })?.draft.data).toBeNull()
})

test.each([
  [undefined],
  [null],
  ['text'],
  [[]],
  [{}],
  [{ eventName: '' }],
  [{ eventName: 5 }],
  [{ eventName: 'x'.repeat(256) }],
  [{ eventName: 'Open', id: {} }],
  [{ eventName: 'Open', id: 'x'.repeat(256) }],
])('%j is no event', (sent) => {
  expect(read(sent)).toBeUndefined()
})

test('ids may be numbers, or missing', () => {
  expect(read({ eventName: 'Open', id: 42 })?.draft.clientEventId).toBe('42')
  expect(read({ eventName: 'Open' })?.draft.clientEventId).toBeNull()
})
