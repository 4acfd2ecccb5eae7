import type { NumberRange } from '../number-range.ts'
import { type Bitmap, GrowingBitmap, intersect } from './bitmap.ts'
import type { CodedValues } from './coded-values.ts'
import { KeyTable } from './key-table.ts'
import { scanKeys, scanNumbers, scanPlacedNumbers } from './scan.ts'

/** So few are never many. */
const fewest = 64

/**
 * The rows that have something. Few have a place each in a table; as soon as they are many, their places are the rows
 * themselves, which takes less memory then, and less time to look through. Values are kept by place.
 */
export class Owners {
  private table: KeyTable | undefined = new KeyTable('narrow')
  private present = new GrowingBitmap()
  /** They are many when they are this share of all rows. */
  private readonly manyShare: number

  constructor(manyShare: number) {
    this.manyShare = manyShare
  }

  /** Its place. */
  add(row: number): number {
    if (this.table) return this.table.add(row)
    this.present.set(row)
    return row
  }

  remove(row: number): void {
    if (this.table) this.table.remove(row)
    else this.present.clear(row)
  }

  /** Answers the table by which all values have to be laid by row now, if they have. */
  becomeMany(rows: number): KeyTable | undefined {
    const { table } = this
    if (!table || table.size < fewest || table.size < rows * this.manyShare) return undefined
    for (let place = 0; place < table.length; place++) {
      if (!table.isFree(place)) this.present.set((table.keys[place] as number) - 1)
    }
    this.table = undefined
    return table
  }

  find(rows: number): Bitmap {
    return this.table ? scanKeys(this.table, rows) : this.present.copy(rows)
  }

  findNumbers(numbers: Float64Array, rows: number, ranges: readonly NumberRange[]): Bitmap {
    if (this.table) return scanPlacedNumbers(this.table, numbers, rows, ranges)
    return intersect(scanNumbers(numbers, rows, ranges), this.present.copy(rows))
  }

  findValues<Value extends string | readonly string[]>(
    values: CodedValues<Value>,
    rows: number,
    passes: (value: Value) => boolean,
  ): Bitmap {
    if (this.table) return values.findPlaced(this.table, rows, passes)
    return intersect(values.find(rows, passes), this.present.copy(rows))
  }
}

/** Numbers that were kept by place in a table, by row; NaN where a row has none. */
export function layByRow(numbers: Float64Array<ArrayBuffer>, table: KeyTable): Float64Array<ArrayBuffer> {
  const placed = Math.min(table.length, numbers.length)
  let last = -1
  for (let place = 0; place < placed; place++) last = Math.max(last, (table.keys[place] as number) - 1)
  const laid = new Float64Array(Math.ceil((last + 1) / 32) * 32).fill(Number.NaN)
  for (let place = 0; place < placed; place++) {
    if (!table.isFree(place)) laid[(table.keys[place] as number) - 1] = numbers[place] as number
  }
  return laid
}
