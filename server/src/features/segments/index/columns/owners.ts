import { type Bitmap, GrowingBitmap } from './bitmap.ts'
import { KeyTable } from './key-table.ts'
import { scanKeys } from './scan.ts'

/** So few are never many. */
const fewest = 64

/**
 * The rows that have something. Few have a place each in a table; as soon as they are many, their places are the rows
 * themselves, which takes less memory then, and less time to look through. Values are kept by place.
 */
export class Owners {
  /** Undefined where places are rows. */
  table: KeyTable | undefined = new KeyTable('narrow')
  private readonly present = new GrowingBitmap()
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

  /** The place that it had, where its values have to be removed; undefined if it had none. */
  remove(row: number): number | undefined {
    if (!this.table) {
      this.present.clear(row)
      return row
    }
    const place = this.table.remove(row)
    return place === -1 ? undefined : place
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
}
