import { expect, test } from 'vitest'
import { readEventTime } from './event-time.ts'

const now = Date.UTC(2026, 10, 15, 12)
const noon = Date.UTC(2026, 10, 14, 12)

test.each([
  [noon, noon],
  [noon + 0.7, noon],
  [String(noon), noon],
  [` ${noon} `, noon],
  ['2026-11-14T12:00:00Z', noon],
  ['2026-11-14T12:00:00.000Z', noon],
  ['2026-11-14T15:30:00+03:30', noon],
  ['2026-11-14T15:30:00+0330', noon],
  ['2026-11-14T12:00', noon],
  ['2026-11-14', Date.UTC(2026, 10, 14)],
  ['Sat, 14 Nov 2026 12:00:00 GMT', noon],
  [Date.UTC(2000, 0, 1), Date.UTC(2000, 0, 1)],
  [now + 86_400_000, now + 86_400_000],
])('%j is a time in milliseconds', (sent, at) => {
  expect(readEventTime(sent, now)).toEqual({ at, isSeconds: false })
})

test.each([
  [noon / 1000, noon],
  [String(noon / 1000), noon],
  [noon / 1000 + 0.25, noon + 250],
])('%j has ten digits and is taken as seconds', (sent, at) => {
  expect(readEventTime(sent, now)).toEqual({ at, isSeconds: true })
})

test.each([
  [Date.UTC(2000, 0, 1) - 1],
  [now + 86_400_001],
  [0],
  [-1],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [noon * 1000],
  [''],
  ['yesterday'],
  ['14/11/2026'],
  ['2026-13-45T00:00:00Z'],
  ['1e12'],
  [null],
  [true],
  [{}],
])('%j is no time of an event', (sent) => {
  expect(readEventTime(sent, now)).toBeUndefined()
})
