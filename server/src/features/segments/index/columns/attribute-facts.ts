import { NotKept } from '../not-kept.ts'
import type { NumberRange } from '../number-range.ts'
import { type Bitmap, createBitmap } from './bitmap.ts'
import { CodedValues } from './coded-values.ts'
import { NumberColumn } from './number-column.ts'
import { Owners } from './owners.ts'

/** Numbers take eight bytes, texts mostly one. */
const manyShare = { numbers: 1 / 3, texts: 1 / 16 }

/** What a row has as the attribute. A field that is left out stays as it is. */
export interface AttributeChange {
  kind: string
  number: number | undefined
  text?: string | undefined
  list?: readonly string[] | undefined
}

/** One attribute of users, or of installations. Numbers, booleans and dates are numbers. */
export class AttributeFacts {
  private readonly owners = new Owners()
  /** By kind. */
  private readonly numbers = new Map<string, NumberColumn>()
  private readonly texts = new CodedValues<string>('table')
  private readonly lists = new CodedValues<readonly string[]>('table')

  put(owner: number, change: AttributeChange, rows: number): void {
    const place = this.owners.add(owner)
    this.setNumber(place, owner, change)
    if ('text' in change) this.texts.set(place, change.text)
    if ('list' in change) this.lists.set(place, change.list)
    const table = this.owners.becomeMany(rows, this.numbers.size > 0 ? manyShare.numbers : manyShare.texts)
    if (!table) return
    for (const column of this.numbers.values()) column.layByRow(table)
    this.texts.layByRow(table)
    this.lists.layByRow(table)
  }

  remove(owner: number): void {
    const place = this.owners.remove(owner)
    if (place === undefined) return
    for (const column of this.numbers.values()) column.set(place, owner, Number.NaN)
    this.texts.set(place, undefined)
    this.lists.set(place, undefined)
  }

  /** Whatever the value is. */
  find(rows: number): Bitmap {
    return this.owners.find(rows)
  }

  findNumbers(rows: number, kind: string, ranges: readonly NumberRange[]): Bitmap {
    return this.numbers.get(kind)?.find(rows, ranges, this.owners.table) ?? createBitmap(rows)
  }

  findTexts(rows: number, passes: (text: string) => boolean): Bitmap {
    return this.findCoded(rows, this.texts, passes)
  }

  findLists(rows: number, passes: (list: readonly string[]) => boolean): Bitmap {
    return this.findCoded(rows, this.lists, passes)
  }

  prepare(): boolean {
    return [...this.numbers.values()].some((column) => column.prepare(this.owners.table))
  }

  private findCoded<Value extends string | readonly string[]>(
    rows: number,
    coded: CodedValues<Value>,
    passes: (value: Value) => boolean,
  ): Bitmap {
    if (!coded.isKept) throw new NotKept('The attribute has too many different values.')
    return coded.find(rows, passes, this.owners.table)
  }

  private setNumber(place: number, owner: number, { kind, number }: AttributeChange): void {
    if (number !== undefined && !this.numbers.has(kind)) this.numbers.set(kind, new NumberColumn())
    for (const [other, column] of this.numbers) {
      column.set(place, owner, other === kind && number !== undefined ? number : Number.NaN)
    }
  }
}
