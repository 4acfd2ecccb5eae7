import { expect, it } from 'vitest'
import { periodOf, shareOfDay } from './list-days.ts'

it('has today so far, and as many days before, the last of them cut at the same moment of the day', () => {
  const period = periodOf(new Date('2026-11-15T06:00:00Z'), 7)
  expect(period).toMatchObject({
    ...{ from: '2026-11-09', to: '2026-11-15', beforeFrom: '2026-11-02', beforeTo: '2026-11-08' },
    passed: 0.25,
  })
  expect(['2026-11-02', '2026-11-07', '2026-11-08'].map((day) => shareOfDay(period, day))).toEqual([1, 1, 0.25])
})

it('leaves the last day before out at the very beginning of today', () => {
  const period = periodOf(new Date('2026-11-15T00:00:00Z'), 7)
  expect(shareOfDay(period, '2026-11-08')).toBe(0)
})
