import { expect, it } from 'vitest'
import { composeValues, findValueFaults, readValue } from './compose-values.ts'

const wanted = [
  { name: 'orderId', required: true },
  { name: 'day', required: false, fallback: 'soon' },
]

it.each([
  ['5', 5],
  ['-12.5', -12.5],
  ['true', true],
  ['false', false],
  ['007', '007'],
  ['5.50', '5.50'],
  ['12345678901234567890', '12345678901234567890'],
  ['1e5', '1e5'],
  ['-0', '-0'],
  ['Infinity', 'Infinity'],
  [' 5', ' 5'],
  ['۵', '۵'],
])('what is typed as %j is %j', (typed, value) => {
  expect(readValue(typed)).toBe(value)
})

it('only what the texts ask for is given, and what is empty is not', () => {
  expect(composeValues({ orderId: 'A-1', day: '', other: 'x' }, wanted)).toEqual({ orderId: 'A-1' })
  expect(composeValues({ other: 'x' }, wanted)).toBeUndefined()
})

it('what has no fallback has to be there', () => {
  expect(findValueFaults({ day: '' }, wanted)).toEqual({ 'values.orderId': 'noValue' })
  expect(findValueFaults({ orderId: '0' }, wanted)).toEqual({})
})
