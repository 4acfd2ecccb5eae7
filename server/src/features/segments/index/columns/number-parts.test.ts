import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Bitmap } from './bitmap.ts'
import { KeyTable } from './key-table.ts'
import { NumberColumn } from './number-column.ts'
import { NumberParts } from './number-parts.ts'

const anyNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 20 }) },
  { weight: 4, arbitrary: fc.double({ min: -1_000, max: 1_000, noNaN: true }) },
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN),
)

it('finds what is beyond a bound, but for one part, whatever changed while the parts were made', () => {
  const anyChange = fc.tuple(fc.nat(1_999), anyNumber)
  const anyBound = fc.oneof(anyNumber, fc.constant(0)).filter((bound) => !Number.isNaN(bound))
  fc.assert(
    fc.property(
      fc.array(anyNumber, { minLength: 1, maxLength: 1_900, size: 'max' }),
      fc.array(anyChange, { maxLength: 100 }),
      fc.array(anyBound, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      (list, changes, bounds, isPlaced) => {
        const numbers = new Float64Array(2_016).fill(Number.NaN)
        numbers.set(list)
        const rowOf = (place: number) => (isPlaced ? 3_000 - place : place)
        const table = isPlaced ? new KeyTable('narrow') : undefined
        for (let place = 0; place < numbers.length; place++) table?.put(rowOf(place), place)
        const parts = new NumberParts(numbers)
        for (const [index, [place, number]] of changes.entries()) {
          if (index === changes.length >> 1) parts.putMore(numbers, table)
          numbers[place] = number
          parts.set(rowOf(place), number)
        }
        while (!parts.isWhole) parts.putMore(numbers, table)
        for (const bound of bounds) {
          const { from, within, beyond } = parts.find(3_001, bound)
          expect(from).toBeLessThanOrEqual(bound)
          const isWrong = (number: number, row: number) =>
            hasBit(within, row) !== (number >= from && !hasBit(beyond, row)) ||
            (hasBit(beyond, row) || (hasBit(within, row) && number >= bound)) !== number >= bound
          expect([...numbers].findIndex((number, place) => isWrong(number, rowOf(place)))).toBe(-1)
        }
      },
    ),
    { numRuns: 60 },
  )
})

const many = 1_000_000
const bounds = [-1, 0, 1, 2, 17, 17.5, 40, 99, 100, 250, 1_000, 5_000]

it.each(['rows', 'a table'])('are made for a column of millions that was read as a whole: %s', (places) => {
  const table = places === 'rows' ? undefined : new KeyTable('narrow')
  const rows = table ? many * 4 : many
  const column = new NumberColumn()
  const put = (place: number, number: number) => {
    const row = table ? place * 4 : place
    table?.put(row, place)
    column.set(place, row, number)
  }
  for (let place = 0; place < many; place++) put(place, mix(place) % 300)
  const expectRight = (shift = 0) => {
    for (const bound of bounds.map((each) => each + shift)) {
      const found = column.find(rows, [{ low: bound, high: Number.POSITIVE_INFINITY }], table)
      let wrong = 0
      for (let place = 0; place < many; place++) {
        if (hasBit(found, table ? place * 4 : place) !== (column.numbers[place] as number) >= bound) wrong++
      }
      expect([bound, wrong]).toEqual([bound, 0])
    }
  }
  expect(column.prepare(table)).toBe(false)
  expectRight()
  expect(column.prepare(table)).toBe(true)
  for (let place = 0; place < many; place += 1_000) column.set(place, table ? place * 4 : place, 4_000)
  while (column.prepare(table));
  expectRight()
  // So many are new that the parts are made anew.
  for (let place = 0; place < many; place += 3) column.set(place, table ? place * 4 : place, 1_000 + (place % 7_000))
  expectRight(3)
  expect(column.prepare(table)).toBe(true)
  while (column.prepare(table));
  expectRight(6)
  expect(column.prepare(table)).toBe(false)
})

function mix(number: number): number {
  return Math.imul(number ^ 0x5bd1e995, 0x9e3779b1) >>> 7
}

function hasBit(bits: Bitmap, row: number): boolean {
  return (((bits[row >>> 5] as number) >>> (row & 31)) & 1) === 1
}
