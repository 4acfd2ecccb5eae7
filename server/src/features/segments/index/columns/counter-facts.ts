import type { Test } from '../../condition.ts'
import type { Aggregate } from '../../fields.ts'
import { NotKept } from '../not-kept.ts'
import { boundsOf, numberRanges, wholeRanges } from '../number-range.ts'
import { average } from './average.ts'
import type { Bitmap } from './bitmap.ts'
import { grow, growWithoutValues } from './grow.ts'
import { layByRow, Owners } from './owners.ts'

const manyShare = 1 / 2

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
  private readonly installations = new Owners(manyShare)
  private readonly numbers: Record<(typeof always)[number], Float64Array<ArrayBuffer>> = {
    count: new Float64Array(0),
    first: new Float64Array(0),
    last: new Float64Array(0),
  }
  /** By place; NaN where a counter has no values. Most events never have any. */
  private values: Record<OfValues | 'valueCount', Float64Array<ArrayBuffer>> | undefined
  private readonly inexact = new Set<OfValues>()

  put(installation: number, change: CounterChange, rows: number): void {
    const place = this.installations.add(installation)
    for (const name of always) {
      this.numbers[name] = grow(this.numbers[name], place + 1)
      this.numbers[name][place] = change[name]
    }
    if (change.values || this.values) this.setValues(place, change)
    const table = this.installations.becomeMany(rows)
    if (!table) return
    for (const name of always) this.numbers[name] = layByRow(this.numbers[name], table)
    if (!this.values) return
    for (const name of [...ofValues, 'valueCount'] as const) this.values[name] = layByRow(this.values[name], table)
  }

  remove(installation: number): void {
    this.installations.remove(installation)
  }

  find(rows: number, aggregate: Aggregate, test: Test): Bitmap {
    const isWhole = aggregate === 'count' || aggregate === 'first' || aggregate === 'last'
    if (isWhole && 'exists' in test) return this.installations.find(rows)
    const ranges = isWhole ? wholeRanges(test) : numberRanges(test)
    return this.installations.findNumbers(this.numbersOf(aggregate, test), rows, ranges)
  }

  private numbersOf(aggregate: Aggregate, test: Test): Float64Array {
    if (aggregate === 'count' || aggregate === 'first' || aggregate === 'last') return this.numbers[aggregate]
    if (!this.values) return new Float64Array(0)
    const source = aggregate === 'avg' ? 'sum' : aggregate
    if (this.inexact.has(source)) throw new NotKept('The event has values of too many digits.')
    if (aggregate !== 'avg') return this.values[aggregate]
    const { sum, valueCount } = this.values
    const bounds = boundsOf(test)
    return sum.map((total, place) => average(total, valueCount[place] as number, bounds))
  }

  private setValues(place: number, { valueCount, values }: CounterChange): void {
    const kept = this.values ?? { ...emptyValues(), valueCount: new Float64Array(0) }
    this.values = kept
    kept.valueCount = grow(kept.valueCount, place + 1)
    kept.valueCount[place] = valueCount
    for (const name of ofValues) {
      const number = values?.[name]
      if (values && number === undefined) this.inexact.add(name)
      kept[name] = growWithoutValues(kept[name], place + 1)
      kept[name][place] = number ?? Number.NaN
    }
  }
}

function emptyValues(): Record<OfValues, Float64Array<ArrayBuffer>> {
  const empty = () => new Float64Array(0)
  return { sum: empty(), min: empty(), max: empty(), lastValue: empty() }
}
