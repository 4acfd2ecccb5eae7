import type { NumberRange } from '../number-range.ts'
import { type Bitmap, createBitmap } from './bitmap.ts'
import type { KeyTable } from './key-table.ts'

type Codes = Uint8Array | Uint16Array | Uint32Array

// The loops are written out, four rows at a time, and take no branch that depends on a value: a function called for each
// row would cost five times as much, and so does a branch that the processor cannot foresee. Arrays have whole words.

/** Rows whose number is in one of the ranges. A row beyond the numbers has none. */
export function scanNumbers(numbers: Float64Array, rows: number, ranges: readonly NumberRange[]): Bitmap {
  const bits = createBitmap(rows)
  const words = Math.min(bits.length, numbers.length >>> 5)
  for (const { low, high } of ranges) {
    for (let word = 0, row = 0; word < words; word++) {
      let found = 0
      for (let bit = 0; bit < 32; bit += 4, row += 4) {
        const first = numbers[row] as number
        const second = numbers[row + 1] as number
        const third = numbers[row + 2] as number
        const fourth = numbers[row + 3] as number
        const ofFour =
          (+(first >= low) & +(first <= high)) |
          ((+(second >= low) & +(second <= high)) << 1) |
          ((+(third >= low) & +(third <= high)) << 2) |
          ((+(fourth >= low) & +(fourth <= high)) << 3)
        found |= ofFour << bit
      }
      bits[word] = (bits[word] as number) | found
    }
  }
  return bits
}

/** Rows whose code passes. A row beyond the codes has none. */
export function scanCodes(codes: Codes, rows: number, passing: Uint8Array): Bitmap {
  const bits = createBitmap(rows)
  const words = Math.min(bits.length, codes.length >>> 5)
  for (let word = 0, row = 0; word < words; word++) {
    let found = 0
    for (let bit = 0; bit < 32; bit += 4, row += 4) {
      const ofFour =
        (passing[codes[row] as number] as number) |
        ((passing[codes[row + 1] as number] as number) << 1) |
        ((passing[codes[row + 2] as number] as number) << 2) |
        ((passing[codes[row + 3] as number] as number) << 3)
      found |= ofFour << bit
    }
    bits[word] = found
  }
  return bits
}

/** The rows that are keys of a table. */
export function scanKeys({ keys, length }: KeyTable, rows: number): Bitmap {
  const bits = createBitmap(rows)
  for (let place = 0; place < length; place++) {
    const key = keys[place] as number
    if (key !== 0) mark(bits, key - 1, 1)
  }
  return bits
}

/** Rows whose number, kept at their place in the table, is in one of the ranges. */
export function scanPlacedNumbers(
  { keys, length }: KeyTable,
  numbers: Float64Array,
  rows: number,
  ranges: readonly NumberRange[],
): Bitmap {
  const bits = createBitmap(rows)
  const placed = Math.min(length, numbers.length)
  for (const { low, high } of ranges) {
    for (let place = 0; place < placed; place++) {
      const key = keys[place] as number
      const number = numbers[place] as number
      if (key !== 0) mark(bits, key - 1, +(number >= low) & +(number <= high))
    }
  }
  return bits
}

/** Rows whose code, kept at their place in the table, passes. */
export function scanPlacedCodes({ keys, length }: KeyTable, codes: Codes, rows: number, passing: Uint8Array): Bitmap {
  const bits = createBitmap(rows)
  const placed = Math.min(length, codes.length)
  for (let place = 0; place < placed; place++) {
    const key = keys[place] as number
    if (key !== 0) mark(bits, key - 1, passing[codes[place] as number] as number)
  }
  return bits
}

/** `bit` is 1 or 0. */
function mark(bits: Bitmap, row: number, bit: number): void {
  const word = row >>> 5
  bits[word] = (bits[word] as number) | (bit << (row & 31))
}
