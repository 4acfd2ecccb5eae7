import type { NumberRange } from '../number-range.ts'
import { type Bitmap, createBitmap } from './bitmap.ts'
import type { KeyTable } from './key-table.ts'

type Codes = Uint8Array | Uint16Array | Uint32Array

// The loops are written out: a function called for each row would cost five times as much.

/** Rows whose number is in one of the ranges. */
export function scanNumbers(numbers: Float64Array | Int32Array, rows: number, ranges: readonly NumberRange[]): Bitmap {
  const bits = createBitmap(rows)
  for (const { low, high } of ranges) {
    for (let word = 0, row = 0; word < bits.length; word++) {
      let found = 0
      const end = Math.min(row + 32, rows)
      for (let bit = 1; row < end; row++, bit <<= 1) {
        const number = numbers[row] as number
        if (number >= low && number <= high) found |= bit
      }
      bits[word] = (bits[word] as number) | found
    }
  }
  return bits
}

/** Rows whose code passes. A row beyond the codes has none. */
export function scanCodes(codes: Codes, rows: number, passing: Uint8Array): Bitmap {
  const bits = createBitmap(rows)
  const coded = Math.min(rows, codes.length)
  for (let word = 0, row = 0; row < coded; word++) {
    let found = 0
    const end = Math.min(row + 32, coded)
    for (let bit = 0; row < end; row++, bit++) found |= (passing[codes[row] as number] as number) << bit
    bits[word] = found
  }
  return bits
}

/** The rows that are keys of a table. */
export function scanKeys(table: KeyTable, rows: number): Bitmap {
  const bits = createBitmap(rows)
  for (let place = 0; place < table.length; place++) if (!table.isFree(place)) mark(bits, table.keys[place] as number)
  return bits
}

/** Rows whose number, kept at their place in the table, is in one of the ranges. */
export function scanPlacedNumbers(
  table: KeyTable,
  numbers: Float64Array,
  rows: number,
  ranges: readonly NumberRange[],
): Bitmap {
  const bits = createBitmap(rows)
  const placed = Math.min(table.length, numbers.length)
  for (const { low, high } of ranges) {
    for (let place = 0; place < placed; place++) {
      const number = numbers[place] as number
      if (number >= low && number <= high && !table.isFree(place)) mark(bits, table.keys[place] as number)
    }
  }
  return bits
}

/** Rows whose code, kept at their place in the table, passes. */
export function scanPlacedCodes(table: KeyTable, codes: Codes, rows: number, passing: Uint8Array): Bitmap {
  const bits = createBitmap(rows)
  const placed = Math.min(table.length, codes.length)
  for (let place = 0; place < placed; place++) {
    if (passing[codes[place] as number] === 1 && !table.isFree(place)) mark(bits, table.keys[place] as number)
  }
  return bits
}

function mark(bits: Bitmap, row: number): void {
  const word = row >>> 5
  bits[word] = (bits[word] as number) | (1 << (row & 31))
}
