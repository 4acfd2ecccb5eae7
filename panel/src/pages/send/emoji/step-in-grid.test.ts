import { expect, it } from 'vitest'
import { findNeighbour } from './step-in-grid.ts'

/** Rows of three: a group of four and a group of two. */
const places = [
  [0, 0],
  [1, 0],
  [2, 0],
  [0, 1],
  [0, 3],
  [1, 3],
] as const
const leftToRight = places.map(([column, row]) => ({ offsetLeft: column * 30, offsetTop: row * 30 }))
const rightToLeft = places.map(([column, row]) => ({ offsetLeft: 60 - column * 30, offsetTop: row * 30 }))

it.each([
  [0, 'ArrowRight', 1],
  [0, 'ArrowLeft', 0],
  [2, 'ArrowDown', 3],
  [3, 'ArrowDown', 4],
  [5, 'ArrowDown', 5],
  [5, 'ArrowUp', 3],
  [3, 'ArrowUp', 0],
  [1, 'ArrowUp', 'above'],
  [2, 'End', 5],
  [4, 'Home', 0],
  [2, 'x', undefined],
  [-1, 'ArrowDown', undefined],
])('from %s, %s leads to %s', (at, key, to) => {
  expect(findNeighbour(leftToRight, at, key)).toBe(to)
})

it.each([
  [0, 'ArrowLeft', 1],
  [1, 'ArrowRight', 0],
  [1, 'ArrowDown', 3],
])('from right to left, from %s, %s leads to %s', (at, key, to) => {
  expect(findNeighbour(rightToLeft, at, key)).toBe(to)
})
