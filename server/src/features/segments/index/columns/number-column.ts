import { type NumberRange, nextAbove } from '../number-range.ts'
import { type Bitmap, copyBitmap, countBits, createBitmap, GrowingBitmap, subtract, unite } from './bitmap.ts'
import { grow } from './grow.ts'
import type { KeyTable } from './key-table.ts'
import { NumberParts } from './number-parts.ts'
import { scanNumbers, scanPlacedNumbers } from './scan.ts'

/** Of all numbers, so few at most are looked at one by one, or fewer where there are parts. */
const fewShare = 1 / 32
const nearShare = 1 / 128
/** Fewer numbers are read soon enough. */
const fewestForParts = 1_000_000
/** So few are looked at again with every question; steps are remembered nearer where they are more. */
const veryFewShare = 1 / 1_024
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
  /** Of a column that had to be read as a whole. */
  private parts: NumberParts | undefined
  /** What is to follow them, or the first. */
  private nextParts: NumberParts | undefined
  private wantsParts = false

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
    this.parts?.set(row, number)
    this.nextParts?.set(row, number)
    for (const { from, rows } of this.steps) {
      if (number >= from) rows.set(row)
      else rows.clear(row)
    }
  }

  /** The numbers are those of rows from here on. */
  layByRow(table: KeyTable): void {
    this.nextParts = undefined
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

  /** Some milliseconds of work for the questions to come, in a column that was read as a whole. False when there is none. */
  prepare(table?: KeyTable): boolean {
    if (!this.wantsParts || this.numbers.length < fewestForParts) return false
    this.nextParts ??= new NumberParts(this.numbers)
    this.nextParts.putMore(this.numbers, table)
    if (!this.nextParts.isWhole) return true
    this.parts = this.nextParts
    this.nextParts = undefined
    this.wantsParts = false
    return true
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
    const near = below && this.findBetween(rows, bound, { below, above }, table)
    if (near) return near
    this.wantsParts ||= !this.parts || this.parts.isOutdated
    const inParts = this.parts && this.findBetween(rows, bound, stepsOf(this.parts, rows, bound), table)
    const bits = inParts ?? this.scan(rows, [{ low: bound, high: Number.POSITIVE_INFINITY }], table)
    this.remember(bound, bits)
    if (inParts) return inParts
    if (below && countBits(subtract(below.rows.copy(rows), bits)) <= rows * fewShare) {
      const guard = this.findGuard(bound)
      if (guard !== undefined && !(above && above.from <= guard)) {
        this.remember(guard, this.scan(rows, [{ low: guard, high: Number.POSITIVE_INFINITY }], table))
      }
    }
    return bits
  }

  /** Undefined where too many rows would have to be looked at. Where they are not very few, nearer steps are remembered. */
  private findBetween(
    rows: number,
    bound: number,
    { below, above }: { below: Step; above: Step | undefined },
    table: KeyTable | undefined,
  ): Bitmap | undefined {
    const bits = below.rows.copy(rows)
    if (below.from !== bound) {
      const most = (table ? table.length : rows) * (this.parts ? nearShare : fewShare)
      const looked = this.removeLess(bits, { bound, above, most }, table)
      if (looked > most) return undefined
      if (looked > rows * veryFewShare) {
        this.remember(bound, bits)
        const guard = this.findGuardBetween(bits, above, { looked, most: rows * veryFewShare }, table)
        if (guard !== undefined && guard > bound) {
          const guarded = copyBitmap(bits)
          this.removeLess(guarded, { bound: guard, above, most }, table)
          this.remember(guard, guarded)
        }
      }
    }
    below.used = ++this.uses
    if (above) above.used = this.uses
    return bits
  }

  private scan(rows: number, ranges: readonly NumberRange[], table: KeyTable | undefined): Bitmap {
    return table ? scanPlacedNumbers(table, this.numbers, rows, ranges) : scanNumbers(this.numbers, rows, ranges)
  }

  /** Of the rows that are not those of the step above. Answers how many it looked at; it stops where they are not few. */
  private removeLess(
    bits: Bitmap,
    { bound, above, most }: { bound: number; above: Step | undefined; most: number },
    table: KeyTable | undefined,
  ): number {
    let looked = 0
    for (let word = 0; word < bits.length && looked <= most; word++) {
      const between = (bits[word] as number) & ~(above ? above.rows.at(word) : 0)
      for (let left = between; left !== 0; left &= left - 1) {
        const bit = left & -left
        looked++
        if (!(this.numberAt(word * 32 + 31 - Math.clz32(bit), table) >= bound))
          bits[word] = (bits[word] as number) & ~bit
      }
    }
    return looked
  }

  private numberAt(row: number, table: KeyTable | undefined): number {
    return this.numbers[table ? table.find(row) : row] as number
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

  /** A number below the step above, with about half of `most` rows up to it. */
  private findGuardBetween(
    bits: Bitmap,
    above: Step | undefined,
    { looked, most }: { looked: number; most: number },
    table: KeyTable | undefined,
  ): number | undefined {
    const stride = Math.ceil(looked / sampled)
    const numbers: number[] = []
    let passed = 0
    for (let word = 0; word < bits.length; word++) {
      const between = (bits[word] as number) & ~(above ? above.rows.at(word) : 0)
      for (let left = between; left !== 0; left &= left - 1) {
        if (passed++ % stride === 0) numbers.push(this.numberAt(word * 32 + 31 - Math.clz32(left & -left), table))
      }
    }
    return numbers.sort((a, b) => a - b)[Math.ceil(most / 2 / stride)]
  }

  private remember(from: number, bits: Bitmap): void {
    if (this.steps.some((step) => step.from === from)) return
    if (this.steps.length >= mostSteps) {
      const oldest = Math.min(...this.steps.map(({ used }) => used))
      this.steps = this.steps.filter(({ used }) => used > oldest)
    }
    this.steps.push({ from, rows: new GrowingBitmap(bits.slice()), used: ++this.uses })
    this.steps.sort((a, b) => a.from - b.from)
  }
}

/** Of the bound's part, and of the next. */
function stepsOf(parts: NumberParts, rows: number, bound: number): { below: Step; above: Step } {
  const { from, within, beyond } = parts.find(rows, bound)
  const step = (bits: Bitmap, at: number): Step => ({ from: at, rows: new GrowingBitmap(bits), used: 0 })
  return { below: step(unite(within, beyond), from), above: step(beyond, Number.POSITIVE_INFINITY) }
}
