import { NotKept } from '../not-kept.ts'
import type { NumberRange } from '../number-range.ts'
import type { Bitmap } from './bitmap.ts'
import { CodedValues } from './coded-values.ts'
import { growWithoutValues } from './grow.ts'
import { KeyTable } from './key-table.ts'
import { scanKeys, scanPlacedCodes, scanPlacedNumbers } from './scan.ts'

/** What a row has as the attribute. A field that is left out stays as it is. */
export interface AttributeChange {
  kind: string
  number: number | undefined
  text?: string | undefined
  list?: readonly string[] | undefined
}

/** One attribute of users, or of installations. Numbers, booleans and dates are numbers. */
export class AttributeFacts {
  private readonly owners = new KeyTable('narrow')
  /** By place; NaN where there is none, or one of another kind. */
  private readonly numbers = new Map<string, Float64Array<ArrayBuffer>>()
  private readonly texts = new CodedValues<string>()
  private readonly lists = new CodedValues<readonly string[]>()

  put(owner: number, change: AttributeChange): void {
    const place = this.owners.add(owner)
    this.setNumber(place, change)
    if ('text' in change) this.texts.set(place, change.text)
    if ('list' in change) this.lists.set(place, change.list)
  }

  remove(owner: number): void {
    this.owners.remove(owner)
  }

  /** Whatever the value is. */
  find(rows: number): Bitmap {
    return scanKeys(this.owners, rows)
  }

  findNumbers(rows: number, kind: string, ranges: readonly NumberRange[]): Bitmap {
    return scanPlacedNumbers(this.owners, this.numbers.get(kind) ?? new Float64Array(0), rows, ranges)
  }

  findTexts(rows: number, passes: (text: string) => boolean): Bitmap {
    return this.findCoded(rows, this.texts, passes)
  }

  findLists(rows: number, passes: (list: readonly string[]) => boolean): Bitmap {
    return this.findCoded(rows, this.lists, passes)
  }

  private findCoded<Value extends string | readonly string[]>(
    rows: number,
    coded: CodedValues<Value>,
    passes: (value: Value) => boolean,
  ): Bitmap {
    if (!coded.isKept) throw new NotKept('The attribute has too many different values.')
    return scanPlacedCodes(this.owners, coded.codes, rows, coded.judge(passes))
  }

  private setNumber(place: number, { kind, number }: AttributeChange): void {
    for (const [other, numbers] of this.numbers)
      if (other !== kind && place < numbers.length) numbers[place] = Number.NaN
    if (number === undefined) {
      const numbers = this.numbers.get(kind)
      if (numbers && place < numbers.length) numbers[place] = Number.NaN
      return
    }
    const numbers = growWithoutValues(this.numbers.get(kind) ?? new Float64Array(0), place + 1)
    numbers[place] = number
    this.numbers.set(kind, numbers)
  }
}
