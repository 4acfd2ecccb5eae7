import { expect, it } from 'vitest'
import { UsageError } from '../command.ts'
import { readExpiry } from './read-expiry.ts'

const now = new Date('2026-11-15T10:00:00Z')

it.each([
  ['12h', '2026-11-15T22:00:00.000Z'],
  ['90d', '2027-02-13T10:00:00.000Z'],
  ['4w', '2026-12-13T10:00:00.000Z'],
  ['1y', '2027-11-15T10:00:00.000Z'],
  ['2027-06-30', '2027-06-30T00:00:00.000Z'],
])('reads %s', (text, expected) => {
  expect(readExpiry(text, now).toISOString()).toBe(expected)
})

it.each(['', '90', 'd', '0d', '-1d', '1.5d', '90D', '2027-02-30', '2027-6-1', 'tomorrow', '999999d'])(
  'refuses "%s"',
  (text) => {
    expect(() => readExpiry(text, now)).toThrow(UsageError)
  },
)
