import { type Bitmap, createBitmap, GrowingBitmap } from './bitmap.ts'
import type { KeyTable } from './key-table.ts'

/** A part's number has so many bits. */
const sliceCount = 8
const mostParts = 2 ** sliceCount - 1
const sampled = 8_192
/** So many numbers are put into their parts at a time: some milliseconds. */
const numbersAtATime = 2 ** 16
/** When so many have changed, the parts may be of very different sizes. */
const outdatedShare = 1 / 8

/**
 * The numbers of a column, cut into parts of about the same size, from the least to the greatest. Each row has the number of
 * its part, 0 where it has none, and each bit of that has a bitmap: what is beyond a bound is found by a few operations for
 * 32 rows together, but for the part that the bound is in, whose rows have to be looked at one by one.
 */
export class NumberParts {
  /** The least number of each part. NaN is beyond the last. */
  private readonly starts = new Float64Array(mostParts).fill(Number.NaN)
  private readonly slices = Array.from({ length: sliceCount }, () => new GrowingBitmap())
  /** So many numbers were there. Those that came later have been told by `set`. */
  private readonly toPut: number
  private put = 0
  private changes = 0

  constructor(numbers: Float64Array) {
    this.starts.set(findStarts(numbers))
    this.toPut = numbers.length
  }

  get isWhole(): boolean {
    return this.put >= this.toPut
  }

  get isOutdated(): boolean {
    return this.changes > this.toPut * outdatedShare
  }

  /** What changes between two calls has to be told by `set`, too. */
  putMore(numbers: Float64Array, table: KeyTable | undefined): void {
    const end = Math.min(this.toPut, this.put + numbersAtATime)
    if (table) this.putPlaced(numbers, table, end)
    else this.putWords(numbers, end)
    this.put = end
  }

  set(row: number, number: number): void {
    this.changes++
    this.setPart(row, this.partOf(number))
  }

  /** The least number of the bound's part, the rows of that part and those beyond it. */
  find(rows: number, bound: number): { from: number; within: Bitmap; beyond: Bitmap } {
    const part = this.partOf(bound)
    const within = createBitmap(rows)
    const beyond = createBitmap(rows)
    within.fill(0xffff_ffff)
    for (let bit = sliceCount - 1; bit >= 0; bit--) {
      const slice = this.slices[bit] as GrowingBitmap
      if (((part >>> bit) & 1) === 1) slice.keepIn(within)
      else slice.moveFrom(within, beyond)
    }
    return { from: this.starts[part - 1] as number, within, beyond }
  }

  /** As many starts as are not above the number. The steps of the search have no branch that the processor would have to foresee. */
  private partOf(number: number): number {
    const { starts } = this
    let part = 0
    for (let step = (mostParts + 1) / 2; step >= 1; step >>>= 1)
      part += step & -((starts[part + step - 1] as number) <= number)
    return part
  }

  private setPart(row: number, part: number): void {
    for (let bit = 0; bit < sliceCount; bit++) {
      const slice = this.slices[bit] as GrowingBitmap
      if (((part >>> bit) & 1) === 1) slice.set(row)
      else slice.clear(row)
    }
  }

  private putPlaced(numbers: Float64Array, { keys }: KeyTable, end: number): void {
    for (let place = this.put; place < end; place++) {
      const key = keys[place] ?? 0
      if (key !== 0) this.setPart(key - 1, this.partOf(numbers[place] as number))
    }
  }

  /** Of rows that are the places, 32 at a time. */
  private putWords(numbers: Float64Array, end: number): void {
    const words = new Uint32Array(sliceCount)
    for (let start = this.put; start < end; start += 32) {
      words.fill(0)
      for (let offset = 0; offset < 32; offset++) {
        const part = this.partOf(numbers[start + offset] as number)
        for (let bit = 0; bit < sliceCount; bit++)
          words[bit] = (words[bit] as number) | (((part >>> bit) & 1) << offset)
      }
      for (let bit = 0; bit < sliceCount; bit++)
        (this.slices[bit] as GrowingBitmap).setWord(start >>> 5, words[bit] as number)
    }
  }
}

/** Of numbers that many rows have, each is the start of a part, so that nobody has to look at these rows. */
function findStarts(numbers: Float64Array): number[] {
  const stride = Math.max(1, Math.floor(numbers.length / sampled))
  const sample: number[] = []
  for (let place = 0; place < numbers.length; place += stride) {
    const number = numbers[place] as number
    if (!Number.isNaN(number)) sample.push(number)
  }
  sample.sort((a, b) => a - b)
  const different = new Set(sample)
  const starts =
    different.size < mostParts
      ? different
      : new Set(
          Array.from(
            { length: mostParts - 1 },
            (_, part) => sample[Math.floor((sample.length * (part + 1)) / mostParts)] as number,
          ),
        )
  return [...new Set([Number.NEGATIVE_INFINITY, ...starts])]
}
