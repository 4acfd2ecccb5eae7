import type { Test } from '../../condition.ts'
import type { Aggregate } from '../../fields.ts'
import { NotKept } from '../not-kept.ts'
import { boundsOf, numberRanges, wholeRanges } from '../number-range.ts'
import { average } from './average.ts'
import { type Bitmap, createBitmap } from './bitmap.ts'
import { NumberColumn } from './number-column.ts'
import { Owners } from './owners.ts'
import { scanNumbers, scanPlacedNumbers } from './scan.ts'

const manyShare = 1 / 3

const always = ['count', 'first', 'last'] as const
const ofValues = ['sum', 'min', 'max', 'lastValue'] as const
type OfValues = (typeof ofValues)[number]

/** What an installation's counter of an event says. Undefined is a value that a number of JavaScript is not the same as. */
export interface CounterChange extends Record<(typeof always)[number], number> {
  valueCount: number
  /** Of counters that have values. */
  values?: Record<OfValues, number | undefined>
}

/** The counters of one event, by installation. */
export class CounterFacts {
  private readonly installations = new Owners()
  private readonly numbers = { count: new NumberColumn(), first: new NumberColumn(), last: new NumberColumn() }
  /** Most events never have any. */
  private values: Record<OfValues | 'valueCount', NumberColumn> | undefined
  private readonly inexact = new Set<OfValues>()

  put(installation: number, change: CounterChange, rows: number): void {
    const place = this.installations.add(installation)
    for (const name of always) this.numbers[name].set(place, installation, change[name])
    if (change.values || this.values) this.setValues(place, installation, change)
    const table = this.installations.becomeMany(rows, manyShare)
    if (table) for (const column of this.columns()) column.layByRow(table)
  }

  remove(installation: number): void {
    const place = this.installations.remove(installation)
    if (place === undefined) return
    for (const column of this.columns()) column.set(place, installation, Number.NaN)
  }

  find(rows: number, aggregate: Aggregate, test: Test): Bitmap {
    const { table } = this.installations
    if (aggregate === 'count' || aggregate === 'first' || aggregate === 'last') {
      if ('exists' in test) return this.installations.find(rows)
      return this.numbers[aggregate].find(rows, wholeRanges(test), table)
    }
    if (!this.values) return createBitmap(rows)
    if (this.inexact.has(aggregate === 'avg' ? 'sum' : aggregate)) {
      throw new NotKept('The event has values of too many digits.')
    }
    const ranges = numberRanges(test)
    if (aggregate !== 'avg') return this.values[aggregate].find(rows, ranges, table)
    const averages = this.divide(this.values, test)
    return table ? scanPlacedNumbers(table, averages, rows, ranges) : scanNumbers(averages, rows, ranges)
  }

  prepare(): boolean {
    return this.columns().some((column) => column.prepare(this.installations.table))
  }

  private divide({ sum, valueCount }: Record<'sum' | 'valueCount', NumberColumn>, test: Test): Float64Array {
    const bounds = boundsOf(test)
    return sum.numbers.map((total, place) => average(total, valueCount.numbers[place] as number, bounds))
  }

  private setValues(place: number, installation: number, { valueCount, values }: CounterChange): void {
    this.values ??= {
      ...{ sum: new NumberColumn(), min: new NumberColumn(), max: new NumberColumn(), lastValue: new NumberColumn() },
      valueCount: new NumberColumn(),
    }
    this.values.valueCount.set(place, installation, valueCount)
    for (const name of ofValues) {
      const number = values?.[name]
      if (values && number === undefined) this.inexact.add(name)
      this.values[name].set(place, installation, number ?? Number.NaN)
    }
  }

  private columns(): NumberColumn[] {
    return [...Object.values(this.numbers), ...Object.values(this.values ?? {})]
  }
}
