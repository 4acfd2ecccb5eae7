import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotKept } from '../not-kept.ts'
import { numberRanges, wholeRanges } from '../number-range.ts'
import { average } from './average.ts'
import { type Bitmap, countBits } from './bitmap.ts'
import { CodedValues, mostValues } from './coded-values.ts'
import { CounterFacts } from './counter-facts.ts'
import { TagFacts } from './tag-facts.ts'

describe('a column of texts', () => {
  it('keeps codes of any width', () => {
    const column = new CodedValues<string>('rows')
    for (let place = 0; place < 70_000; place++) column.set(place, `text ${place}`)
    expect([0, 255, 256, 69_999].map((place) => column.values[column.codes[place] as number])).toEqual(
      [0, 255, 256, 69_999].map((place) => `text ${place}`),
    )
  })

  it('keeps what was set last at each place, whichever order they came in', () => {
    const anyChange = fc.tuple(fc.nat(700), fc.option(fc.nat(600), { nil: undefined }))
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 1_500, size: 'max' }), (changes) => {
        const column = new CodedValues<string>('rows')
        const model = new Map<number, string | undefined>()
        for (const [place, text] of changes) {
          const value = text === undefined ? undefined : `text ${text}`
          column.set(place, value)
          model.set(place, value)
        }
        for (const [place, value] of model) expect(column.values[column.codes[place] as number]).toBe(value)
      }),
      { numRuns: 20 },
    )
  })

  it('is not kept when it has too many different values', () => {
    const column = new CodedValues<string>('rows')
    for (let place = 0; place <= mostValues; place++) column.set(place, `text ${place}`)
    expect([column.isKept, column.values.length]).toEqual([false, 1])
  })
})

describe('counters', () => {
  const counter = { count: 1, first: 0, last: 0, valueCount: 1 }
  const values = { sum: 3, min: 3, max: 3, lastValue: 3 }

  it('have values only where values came, also when the first ones came late', () => {
    const facts = new CounterFacts()
    for (let row = 0; row < 100; row++) facts.put(row, { ...counter, valueCount: 0 }, 101)
    facts.put(100, { ...counter, values }, 101)
    expect(countBits(facts.find(101, 'sum', { exists: true }))).toBe(1)
    expect(countBits(facts.find(101, 'count', { exists: true }))).toBe(101)
  })

  it('do not answer where a value has more digits than a number', () => {
    const facts = new CounterFacts()
    facts.put(0, { ...counter, values: { ...values, sum: undefined } }, 1)
    expect(countBits(facts.find(1, 'max', { in: [3] }))).toBe(1)
    expect(() => facts.find(1, 'sum', { in: [3] })).toThrow(NotKept)
    expect(() => facts.find(1, 'avg', { in: [3] })).toThrow(NotKept)
  })
})

/** So many that a table becomes rows, and that columns remember more than they may. */
describe('what few and many rows have', () => {
  const rows = 150
  const anyRow = fc.nat(rows - 1)
  const aFewValues = fc.integer({ min: 0, max: 40 })
  const listRows = (bits: Bitmap) =>
    Array.from({ length: rows }, (_, row) => row).filter((row) => ((bits[row >>> 5] as number) >>> (row & 31)) & 1)

  it('are found by their numbers, whatever was put, removed and asked before', () => {
    const anyPut = fc.record({ kind: fc.constant('put' as const), row: anyRow, count: aFewValues })
    const anyRemoval = fc.record({ kind: fc.constant('remove' as const), row: anyRow })
    const anyQuestion = fc.record({ kind: fc.constant('ask' as const), low: aFewValues, reach: fc.nat(41) })
    const anyAct = fc.oneof({ weight: 8, arbitrary: anyPut }, anyRemoval, { weight: 2, arbitrary: anyQuestion })
    fc.assert(
      fc.property(fc.array(anyAct, { minLength: 50, maxLength: 600, size: 'max' }), (acts) => {
        const facts = new CounterFacts()
        const model = new Map<number, number>()
        for (const act of acts) {
          if (act.kind === 'put') {
            facts.put(act.row, { count: act.count, first: 0, last: 0, valueCount: 0 }, rows)
            model.set(act.row, act.count)
          } else if (act.kind === 'remove') {
            facts.remove(act.row)
            model.delete(act.row)
          } else {
            const { low, reach } = act
            const to = reach > 40 ? {} : { to: { value: low + reach, isInclusive: true } }
            const found = facts.find(rows, 'count', { from: { value: low, isInclusive: true }, ...to })
            const expected = [...model].filter(([, count]) => count >= low && (reach > 40 || count <= low + reach))
            expect(listRows(found)).toEqual(expected.map(([row]) => row).sort((a, b) => a - b))
          }
        }
        expect(listRows(facts.find(rows, 'count', { exists: true }))).toEqual([...model.keys()].sort((a, b) => a - b))
      }),
      { numRuns: 30 },
    )
  })

  it('are found by their texts, few and many different ones', () => {
    const anyPuts = (different: number) =>
      fc.array(fc.tuple(anyRow, fc.option(fc.nat(different), { nil: undefined }), fc.boolean()), {
        ...{ minLength: 50, maxLength: 400, size: 'max' },
      })
    fc.assert(
      fc.property(fc.oneof(anyPuts(9), anyPuts(60)), fc.oneof(fc.nat(9), fc.nat(60)), (puts, asked) => {
        const facts = new TagFacts()
        const model = new Map<number, number | undefined>()
        for (const [row, value, isRemoved] of puts) {
          facts.put(row, value === undefined ? undefined : `text ${value}`, rows)
          model.set(row, value)
          if (!isRemoved || value === undefined) continue
          facts.remove(value)
          model.delete(value)
        }
        const passes = (text: string) => Number(text.slice(5)) <= asked
        const expected = [...model].filter(([, value]) => value !== undefined && value <= asked)
        expect(listRows(facts.findValues(rows, passes))).toEqual(expected.map(([row]) => row).sort((a, b) => a - b))
        expect(listRows(facts.find(rows))).toEqual([...model.keys()].sort((a, b) => a - b))
      }),
      { numRuns: 30 },
    )
  })
})

describe('an average', () => {
  it('is on the right side of a bound, or not known', () => {
    expect(average(6, 3, [2])).toBe(2)
    expect(average(7, 3, [2])).toBe(7 / 3)
    expect(() => average(0.3, 3, [0.1])).toThrow(NotKept)
    expect(() => average(10, 3, [10 / 3])).toThrow(NotKept)
    expect(average(Number.NaN, 0, [2])).toBeNaN()
  })
})

describe('ranges', () => {
  it('of whole numbers begin and end at whole ones', () => {
    const open = { from: { value: 1.5, isInclusive: false }, to: { value: 4, isInclusive: false } }
    expect(wholeRanges(open)).toEqual([{ low: 2, high: 3 }])
    expect(wholeRanges({ in: [1, 1.5] })).toEqual([{ low: 1, high: 1 }])
  })

  it('of numbers leave out a bound that is not included, and nothing else', () => {
    for (const value of [-1, 0, 1, 0.1, 1e300]) {
      const [above] = numberRanges({ from: { value, isInclusive: false } })
      const [below] = numberRanges({ to: { value, isInclusive: false } })
      expect((above?.low as number) > value && (below?.high as number) < value).toBe(true)
      expect(((above?.low as number) - value) / (value || 1)).toBeLessThan(1e-15)
    }
  })
})
