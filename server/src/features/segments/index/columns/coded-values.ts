import { type Bitmap, createBitmap, GrowingBitmap } from './bitmap.ts'
import { grow } from './grow.ts'
import type { KeyTable } from './key-table.ts'
import { scanCodes, scanPlacedCodes } from './scan.ts'

/** A column of more different values is not kept: whoever asks for one of them is answered by an index of PostgreSQL. */
export const mostValues = 100_000
/** A column of fewer different values has a bitmap for each, which takes a tenth of the time to ask. */
export const mostBitmaps = 32

type Codes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** Texts, or lists of texts, each once, with a code from 1 on; and for each place the code of what is there, or 0. */
export class CodedValues<Value extends string | readonly string[]> {
  /** By code; 0 is no value. */
  readonly values: (Value | undefined)[] = [undefined]
  /** By place. */
  codes: Codes = new Uint8Array(0)
  /** False when there were too many different values. */
  isKept = true
  private readonly codeOf = new Map<string, number>()
  /** Where places are rows: by code, who has the value; at 0, who has any. */
  private bitmaps: GrowingBitmap[] | undefined

  constructor(places: 'rows' | 'table') {
    this.bitmaps = places === 'rows' ? [new GrowingBitmap()] : undefined
  }

  set(place: number, value: Value | undefined): void {
    if (!this.isKept) return
    const before = place < this.codes.length ? (this.codes[place] as number) : 0
    const code = value === undefined ? 0 : this.encode(value)
    if (code === before) return
    if (code > mostValues) {
      this.giveUp()
      return
    }
    if (code >= 2 ** (this.codes.BYTES_PER_ELEMENT * 8)) {
      this.codes = this.codes.BYTES_PER_ELEMENT === 1 ? new Uint16Array(this.codes) : new Uint32Array(this.codes)
    }
    this.codes = grow(this.codes, place + 1)
    this.codes[place] = code
    this.moveBit(place, before, code)
  }

  /** Rows whose value passes. With a table, places are those of the table. */
  find(rows: number, passes: (value: Value) => boolean, table?: KeyTable): Bitmap {
    const passing = this.judge(passes)
    if (table) return scanPlacedCodes(table, this.codes, rows, passing)
    if (!this.bitmaps) return scanCodes(this.codes, rows, passing)
    const [present, ...ofCodes] = this.bitmaps as [GrowingBitmap, ...GrowingBitmap[]]
    const kept = ofCodes.filter((_, index) => passing[index + 1] === 1)
    if (kept.length * 2 > ofCodes.length) {
      const bits = present.copy(rows)
      for (const [index, one] of ofCodes.entries()) if (passing[index + 1] === 0) one.removeFrom(bits)
      return bits
    }
    const bits = createBitmap(rows)
    for (const one of kept) one.addTo(bits)
    return bits
  }

  /** From here on, places are rows. */
  layByRow(table: KeyTable): void {
    const before = this.codes
    const placed = Math.min(table.length, before.length)
    const Constructor = before.constructor as new (length: number) => Codes
    this.codes = new Constructor(0)
    this.bitmaps = this.values.length <= mostBitmaps + 1 ? this.values.map(() => new GrowingBitmap()) : undefined
    for (let place = 0; place < placed; place++) {
      const row = (table.keys[place] as number) - 1
      const code = before[place] as number
      if (row === -1 || code === 0) continue
      this.codes = grow(this.codes, row + 1)
      this.codes[row] = code
      this.moveBit(row, 0, code)
    }
  }

  private moveBit(row: number, before: number, code: number): void {
    if (!this.bitmaps) return
    if (code > mostBitmaps) {
      this.bitmaps = undefined
      return
    }
    if (before !== 0) this.bitmaps[before]?.clear(row)
    if (code === 0) this.bitmaps[0]?.clear(row)
    else {
      this.bitmaps[0]?.set(row)
      this.bitmaps[code] ??= new GrowingBitmap()
      this.bitmaps[code].set(row)
    }
  }

  /** 1 for each code whose value passes. */
  private judge(passes: (value: Value) => boolean): Uint8Array {
    return Uint8Array.from(this.values, (value) => (value !== undefined && passes(value) ? 1 : 0))
  }

  private encode(value: Value): number {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const known = this.codeOf.get(text)
    if (known !== undefined) return known
    const code = this.values.length
    this.values.push(value)
    this.codeOf.set(text, code)
    return code
  }

  private giveUp(): void {
    this.isKept = false
    this.codes = new Uint8Array(0)
    this.values.length = 1
    this.codeOf.clear()
    this.bitmaps = undefined
  }
}
