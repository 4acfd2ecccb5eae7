import { expect, it } from 'vitest'
import { busynessAt, shortestMeanMs } from './daily-rhythm.ts'

it.each([
  ['2026-03-01T17:30:00Z', 'Asia/Tehran', 1],
  ['2026-03-01T20:59:00Z', 'Europe/London', 0.97],
  ['2026-07-01T20:59:00Z', 'Europe/London', 1],
  ['2026-03-01T00:30:00Z', 'Europe/London', 0.2],
  ['2026-03-01T00:30:00Z', 'Asia/Dubai', 0.05],
])('at %s the shop in %s is visited %d times as much as in the evening', (at, timeZone, busyness) => {
  expect(busynessAt(Date.parse(at), timeZone)).toBe(busyness)
})

it('has as many visits in a day as it should', () => {
  const perHour = 3_600_000 / shortestMeanMs(300, 2)
  const start = Date.parse('2026-03-01T00:00:00Z')
  const hours = Array.from({ length: 24 }, (_, hour) => busynessAt(start + hour * 3_600_000, 'Europe/London'))
  expect(hours.reduce((sum, busyness) => sum + busyness * perHour, 0)).toBeCloseTo(600)
})
