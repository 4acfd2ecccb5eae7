import { type Bitmap, GrowingBitmap } from './bitmap.ts'
import { KeyTable } from './key-table.ts'
import { scanKeys } from './scan.ts'

/** So few are never many. */
const fewest = 64
/** From this share of all rows on, a bit for each row takes no more than what a table takes anyway. */
const bitsShare = 1 / 64

/**
 * The rows that have something. Few have a place each in a table; as soon as they are many, their places are the rows
 * themselves, which takes less memory then, and less time to look through. Values are kept by place.
 */
export class Owners {
  /** Undefined where places are rows. */
  table: KeyTable | undefined = new KeyTable('narrow')
  /** Undefined where they are few. */
  private present: GrowingBitmap | undefined

  /** Its place. */
  add(row: number): number {
    this.present?.set(row)
    return this.table ? this.table.add(row) : row
  }

  /** The place that it had, where its values have to be removed; undefined if it had none. */
  remove(row: number): number | undefined {
    this.present?.clear(row)
    if (!this.table) return row
    const place = this.table.remove(row)
    return place === -1 ? undefined : place
  }

  /** Answers the table by which all values have to be laid by row now: when so large a share of the rows is here. */
  becomeMany(rows: number, share: number): KeyTable | undefined {
    const { table } = this
    if (!table || table.size < fewest) return undefined
    if (!this.present && table.size >= rows * bitsShare) this.present = new GrowingBitmap(scanKeys(table, rows))
    if (!this.present || table.size < rows * share) return undefined
    this.table = undefined
    return table
  }

  find(rows: number): Bitmap {
    return this.present?.copy(rows) ?? scanKeys(this.table as KeyTable, rows)
  }
}
