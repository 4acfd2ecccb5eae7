import { expect, it } from 'vitest'
import { opensOf } from './opens-of.ts'

const bars = (...opened: number[]) => opened.map((count, index) => ({ at: index, opened: count, acted: 0 }))

it('says within how many hours half of the opens came', () => {
  expect(opensOf({ hours: bars(4, 4, 8), days: bars(16) })).toEqual({ total: 16, halfHours: 2 })
  expect(opensOf({ hours: bars(9, 3), days: bars(12) })).toEqual({ total: 12, halfHours: 1 })
})

it('says nothing of too few, or when most came later', () => {
  expect(opensOf({ hours: bars(4), days: bars(4) })).toEqual({ total: 4, halfHours: undefined })
  expect(opensOf({ hours: bars(4), days: bars(4, 0, 30) })).toEqual({ total: 34, halfHours: undefined })
  expect(opensOf({ hours: bars(0), days: bars(0) })).toEqual({ total: 0, halfHours: undefined })
})
