import { deliveryStates, noneOf } from '@peyk/contract'
import { expect, it } from 'vitest'
import { opensOf } from './opens-of.ts'

const DAY = 86_400_000
const bars = (...opened: number[]) => opened.map((count, index) => ({ at: index, opened: count, acted: 0 }))
const all = (list: readonly { opened: number }[]) => list.reduce((sum, { opened }) => sum + opened, 0)
const of = (hours: number[], days: number[], { age = DAY, opened = all(bars(...days)) } = {}) =>
  opensOf({
    at: 1_000 + age,
    createdAt: 1_000,
    states: { ...noneOf(deliveryStates), opened },
    opens: { hours: bars(...hours), days: bars(...days) },
  })

it('says within how many hours half of the opens came', () => {
  expect(of([4, 4, 8], [16])).toEqual({ total: 16, halfHours: 2, undated: 0 })
  expect(of([9, 3], [12])).toEqual({ total: 12, halfHours: 1, undated: 0 })
})

it('says nothing of too few, of a message younger than a day, or when most came later', () => {
  expect(of([4], [4])).toMatchObject({ total: 4, halfHours: undefined })
  expect(of([4], [4, 0, 30])).toMatchObject({ total: 34, halfHours: undefined })
  expect(of([0], [0])).toMatchObject({ total: 0, halfHours: undefined })
  expect(of([200], [200], { age: 69_000 })).toMatchObject({ total: 200, halfHours: undefined })
})

it('has the total of the funnel, and how many of it are in no bar', () => {
  expect(of([0], [0], { opened: 1 })).toEqual({ total: 1, halfHours: undefined, undated: 1 })
  expect(of([12], [12], { opened: 15 })).toEqual({ total: 15, halfHours: 1, undated: 3 })
})
