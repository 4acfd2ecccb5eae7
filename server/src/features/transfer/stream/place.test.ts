import { expect, it } from 'vitest'
import { rangeAfter, readCursor, timeText, writeCursor } from './place.ts'

const id = '019d9c3e-5a00-7d42-8c11-5e0a7b3f9d24'

it.each([
  { us: 1_794_700_800_120_003 },
  { us: 1_794_700_800_120_000, last: { type: 'event' as const, key: id } },
  { us: 1_794_700_800_120_000, last: { type: 'delivery' as const, key: `${id} 17` } },
  { us: 1_794_700_800_120_000, last: { type: 'receipt' as const, key: `${id} 17 acted a button 🙂` } },
  { us: 1_794_700_800_120_000, last: { type: 'receipt' as const, key: `${id} 17 opened ` } },
])('a cursor says the place it was made of: %j', (place) => {
  expect(readCursor(writeCursor(place))).toEqual(place)
})

it.each(['', 'x', '-1', '1 2', '1 99 x', `1 6 ${id}x`, `1 4 ${id}`, '99999999999999999', '1 7 x'])(
  '%j is no cursor',
  (text) => {
    expect(() => readCursor(Buffer.from(text).toString('base64url'))).toThrow('"cursor"')
  },
)

it('asks each type for what comes after a place, and of the same time only what has not been', () => {
  const place = { us: 100, last: { type: 'delivery' as const, key: `${id} 17` } }
  expect(rangeAfter(place, 'message.accepted', 200)).toEqual({ from: 101, until: 200 })
  expect(rangeAfter(place, 'delivery', 200)).toEqual({ from: 100, afterKey: `${id} 17`, until: 200 })
  expect(rangeAfter(place, 'event', 200)).toEqual({ from: 100, until: 200 })
  expect(rangeAfter({ us: 100 }, 'message.accepted', 200)).toEqual({ from: 100, until: 200 })
})

it('writes times to the microsecond', () => {
  expect(timeText(1_794_700_800_120_003)).toBe('2026-11-15T00:00:00.120003Z')
})
