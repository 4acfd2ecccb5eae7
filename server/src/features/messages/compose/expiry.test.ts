import { expect, it } from 'vitest'
import { expiryOf, type Product } from './expiry.ts'

const at = new Date('2026-11-15T00:00:00Z')
const day = 86_400

it.each<[number | undefined, Product, number]>([
  [undefined, 'message', 30 * day],
  [0, 'message', 30 * day],
  [undefined, 'notification', 28 * day],
  [0, 'notification', 28 * day],
  [60, 'message', 60],
  [0.5, 'message', 0.5],
  [90 * day, 'notification', 90 * day],
])('a ttl of %s seconds lets a %s live %s seconds', (ttl, product, seconds) => {
  expect(expiryOf(ttl, product, at).getTime() - at.getTime()).toBe(seconds * 1000)
})

it('a ttl beyond all dates means a hundred years', () => {
  expect(expiryOf(1e300, 'message', at).getUTCFullYear()).toBe(2126)
})
