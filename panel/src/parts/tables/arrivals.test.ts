import { expect, it } from 'vitest'
import { arrivedAbove } from './arrivals.ts'

it('finds what came on top, and nothing in another list', () => {
  expect(arrivedAbove(['c', 'b'], ['e', 'd', 'c', 'b'])).toEqual(['e', 'd'])
  expect(arrivedAbove(['c', 'b'], ['c', 'b', 'a'])).toEqual([])
  expect(arrivedAbove(['c', 'b'], ['x', 'y'])).toEqual([])
  expect(arrivedAbove([], ['a'])).toEqual([])
  const many = Array.from({ length: 11 }, (_, index) => `n${index}`)
  expect(arrivedAbove(['c'], [...many, 'c'])).toEqual([])
})
