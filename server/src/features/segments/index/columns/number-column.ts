import { type NumberRange, nextAbove } from '../number-range.ts'
import { type Bitmap, copyBitmap, countBits, createBitmap, GrowingBitmap, subtract, unite } from './bitmap.ts'
import { grow } from './grow.ts'
import type { KeyTable } from './key-table.ts'
import { scanNumbers, scanPlacedNumbers } from './scan.ts'

/** Of all rows, so few at most are looked at one by one. */
const fewShare = 1 / 32
const mostSteps = 16
/** A longer list of numbers is not remembered. */
const mostRanges = 4
const sampled = 2_048

/** Which rows have at least some number. It is kept right when numbers change. */
interface Step {
  from: number
  rows: GrowingBitmap
  /** The greater, the later it was last of use. */
  used: number
}

/**
 * Numbers by place. What was asked is remembered as steps: between the nearest two there are few rows, which are looked at
 * one by one, so that the same question, also of a later moment ("in the last 24 hours"), needs no look at all rows.
 */
export class NumberColumn {
  /** By place; NaN where there is none. */
  numbers: Float64Array<ArrayBuffer> = new Float64Array(0)
  /** In order. */
  private steps: Step[] = []
  private uses = 0

  /** `place` is the row itself, or its place in a table. */
  set(place: number, row: number, number: number): void {
    const known = this.numbers.length
    if (place < known && this.numbers[place] === number) return
    if (place >= known) {
      if (Number.isNaN(number)) return
      this.numbers = grow(this.numbers, place + 1)
      this.numbers.fill(Number.NaN, known)
    }
    this.numbers[place] = number
    for (const { from, rows } of this.steps) {
      if (number >= from) rows.set(row)
      else rows.clear(row)
    }
  }

  /** The numbers are those of rows from here on. */
  layByRow(table: KeyTable): void {
    const before = this.numbers
    const placed = Math.min(table.length, before.length)
    let end = 0
    for (let place = 0; place < placed; place++) end = Math.max(end, table.keys[place] as number)
    this.numbers = new Float64Array(Math.ceil(end / 32) * 32).fill(Number.NaN)
    for (let place = 0; place < placed; place++) {
      if (!table.isFree(place)) this.numbers[(table.keys[place] as number) - 1] = before[place] as number
    }
  }

  /** Rows whose number is in one of the ranges. With a table, places are those of the table. */
  find(rows: number, ranges: readonly NumberRange[], table?: KeyTable): Bitmap {
    if (ranges.length > mostRanges) return this.scan(rows, ranges, table)
    const found = ranges.filter(({ low, high }) => low <= high).map((range) => this.findRange(rows, range, table))
    return found.length === 0 ? createBitmap(rows) : found.reduce(unite)
  }

  private findRange(rows: number, { low, high }: NumberRange, table: KeyTable | undefined): Bitmap {
    const within = this.findAtLeast(rows, low, table)
    if (high === Number.POSITIVE_INFINITY) return within
    return subtract(within, this.findAtLeast(rows, nextAbove(high), table))
  }

  private findAtLeast(rows: number, bound: number, table: KeyTable | undefined): Bitmap {
    const next = this.steps.findIndex(({ from }) => from > bound)
    const above = this.steps[next]
    const below = next === -1 ? this.steps.at(-1) : this.steps[next - 1]
    if (below) {
      const bits = below.rows.copy(rows)
      const between = copyBitmap(bits)
      above?.rows.removeFrom(between)
      if (below.from === bound || countBits(between) <= rows * fewShare) {
        below.used = ++this.uses
        if (above) above.used = this.uses
        return below.from === bound ? bits : this.removeLess(bits, between, bound, table)
      }
    }
    const bits = this.remember(rows, bound, table)
    if (below && countBits(subtract(below.rows.copy(rows), bits)) <= rows * fewShare) {
      const guard = this.findGuard(bound)
      if (guard !== undefined && !(above && above.from <= guard)) this.remember(rows, guard, table)
    }
    return bits
  }

  private scan(rows: number, ranges: readonly NumberRange[], table: KeyTable | undefined): Bitmap {
    return table ? scanPlacedNumbers(table, this.numbers, rows, ranges) : scanNumbers(this.numbers, rows, ranges)
  }

  private removeLess(bits: Bitmap, between: Bitmap, bound: number, table: KeyTable | undefined): Bitmap {
    for (let word = 0; word < between.length; word++) {
      for (let left = between[word] as number; left !== 0; left &= left - 1) {
        const bit = left & -left
        const row = word * 32 + 31 - Math.clz32(bit)
        const place = table ? table.find(row) : row
        if (!((this.numbers[place] as number) >= bound)) bits[word] = (bits[word] as number) & ~bit
      }
    }
    return bits
  }

  /** A number above, with few between the two: as time goes on, what is asked next lies between them. */
  private findGuard(bound: number): number | undefined {
    const stride = Math.max(1, Math.floor(this.numbers.length / sampled))
    const greater: number[] = []
    for (let place = 0; place < this.numbers.length; place += stride) {
      const number = this.numbers[place] as number
      if (number > bound) greater.push(number)
    }
    return greater.sort((a, b) => a - b)[Math.floor((sampled * fewShare) / 2)]
  }

  private remember(rows: number, from: number, table: KeyTable | undefined): Bitmap {
    const bits = this.scan(rows, [{ low: from, high: Number.POSITIVE_INFINITY }], table)
    if (this.steps.length >= mostSteps) {
      const oldest = Math.min(...this.steps.map(({ used }) => used))
      this.steps = this.steps.filter(({ used }) => used > oldest)
    }
    this.steps.push({ from, rows: new GrowingBitmap(bits.slice()), used: ++this.uses })
    this.steps.sort((a, b) => a.from - b.from)
    return bits
  }
}
