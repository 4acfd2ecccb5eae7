import { expect, test } from 'vitest'
import { sumOpens } from './sum-opens.ts'

const HOUR = 3_600_000
const acceptedAt = new Date('2026-11-15T10:20:00Z')
const hour = Date.parse('2026-11-15T10:00:00Z')
const day = Date.parse('2026-11-15T00:00:00Z')

test('a message that nobody opened has bars up to now', () => {
  const { hours, days } = sumOpens([], acceptedAt, new Date(hour + 2.5 * HOUR))
  expect(hours).toEqual([0, 1, 2].map((index) => ({ at: hour + index * HOUR, opened: 0, acted: 0 })))
  expect(days).toEqual([{ at: day, opened: 0, acted: 0 }])
})

test('opens are in their hour and their day, those of later days only in their day', () => {
  const rows = [
    { at: hour, opened: 3, acted: 1 },
    { at: hour + 47 * HOUR, opened: 2, acted: 0 },
    { at: hour + 48 * HOUR, opened: 1, acted: 0 },
  ]
  const { hours, days } = sumOpens(rows, acceptedAt, new Date(hour + 500 * HOUR))
  expect(hours).toHaveLength(48)
  expect(hours[0]).toMatchObject({ opened: 3, acted: 1 })
  expect(hours[47]).toMatchObject({ opened: 2 })
  expect(days.map(({ opened }) => opened)).toEqual([3, 0, 3])
})

test('what a device says to have been before the message was, is in the first hour', () => {
  const { hours, days } = sumOpens([{ at: hour - 30 * HOUR, opened: 4, acted: 0 }], acceptedAt, acceptedAt)
  expect(hours).toEqual([{ at: hour, opened: 4, acted: 0 }])
  expect(days).toEqual([{ at: day, opened: 4, acted: 0 }])
})

test('a clock that goes wrong by years does not make the list endless', () => {
  const { days } = sumOpens([{ at: hour + 99_999 * HOUR, opened: 1, acted: 0 }], acceptedAt, acceptedAt)
  expect(days).toHaveLength(100)
})
