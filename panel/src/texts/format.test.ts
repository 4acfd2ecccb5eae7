import { expect, it } from 'vitest'
import { createFormat } from './format.ts'

const format = createFormat('en')

it.each([
  [45.4, '45 seconds'],
  [744, '12 minutes'],
  [90, '2 minutes'],
  [5_400, '1.5 hours'],
  [40_000, '11 hours'],
])('%d seconds are told as people do: %s', (seconds, said) => {
  expect(format.duration(seconds)).toBe(said)
})

it('amounts in a list have the same digits, and large ones no cents', () => {
  expect([126, 89.9, 24_862, 24_862.5].map((amount) => format.money(amount, 'EUR'))).toEqual([
    '€126.00',
    '€89.90',
    '€24,862',
    '€24,862.50',
  ])
  expect(format.money(126, 'JPY')).toBe('¥126')
})
