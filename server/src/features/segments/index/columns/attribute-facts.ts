import { NotKept } from '../not-kept.ts'
import type { NumberRange } from '../number-range.ts'
import type { Bitmap } from './bitmap.ts'
import { CodedValues } from './coded-values.ts'
import { growWithoutValues } from './grow.ts'
import { layByRow, Owners } from './owners.ts'

const manyShare = 1 / 3

/** What a row has as the attribute. A field that is left out stays as it is. */
export interface AttributeChange {
  kind: string
  number: number | undefined
  text?: string | undefined
  list?: readonly string[] | undefined
}

/** One attribute of users, or of installations. Numbers, booleans and dates are numbers. */
export class AttributeFacts {
  private readonly owners = new Owners(manyShare)
  /** By place; NaN where there is none, or one of another kind. */
  private readonly numbers = new Map<string, Float64Array<ArrayBuffer>>()
  private readonly texts = new CodedValues<string>('table')
  private readonly lists = new CodedValues<readonly string[]>('table')

  put(owner: number, change: AttributeChange, rows: number): void {
    const place = this.owners.add(owner)
    this.setNumber(place, change)
    if ('text' in change) this.texts.set(place, change.text)
    if ('list' in change) this.lists.set(place, change.list)
    const table = this.owners.becomeMany(rows)
    if (!table) return
    for (const [kind, numbers] of this.numbers) this.numbers.set(kind, layByRow(numbers, table))
    this.texts.layByRow(table)
    this.lists.layByRow(table)
  }

  remove(owner: number): void {
    this.owners.remove(owner)
  }

  /** Whatever the value is. */
  find(rows: number): Bitmap {
    return this.owners.find(rows)
  }

  findNumbers(rows: number, kind: string, ranges: readonly NumberRange[]): Bitmap {
    return this.owners.findNumbers(this.numbers.get(kind) ?? new Float64Array(0), rows, ranges)
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
    return this.owners.findValues(coded, rows, passes)
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
