import { expect, it } from 'vitest'
import { readAmount } from './read-amount.ts'

it.each([
  ['0', 0],
  ['50000', 50_000],
  ['50,000', 50_000],
  ['50_000', 50_000],
  ['50K', 50_000],
  ['1.5m', 1_500_000],
  ['2B', 2_000_000_000],
  ['1.1M', 1_100_000],
  ['none', null],
])('%s is %s', (text, amount) => {
  expect(readAmount('events-per-month', text)).toBe(amount)
})

it.each(['', 'many', '-1', '1.5', '1T', '0.0001K'])('%j is no amount', (text) => {
  expect(() => readAmount('events-per-month', text)).toThrow('--events-per-month')
})
