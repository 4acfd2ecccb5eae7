import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Condition, FittedRule, Range, Test } from '../condition.ts'
import { type Field, findField } from '../fields.ts'
import { passes } from './compile-comparison.ts'
import { mergeRanges } from './merge-ranges.ts'

const field = (name: string) => findField(name, 'segment') as Field

function rule(name: string, test: Test, isNegated = false): { rule: FittedRule } {
  return { rule: { field: field(name), kind: 'number', test, isNegated } }
}

const bound = fc.option(fc.record({ value: fc.integer({ min: -3, max: 3 }), isInclusive: fc.boolean() }))
const range = fc
  .record({ from: bound, to: bound })
  .filter(({ from, to }) => from !== null || to !== null)
  .map(({ from, to }): Range => ({ ...(from && { from }), ...(to && { to }) }))

it('finds the numbers that are in all ranges of a name', () => {
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), (ranges) => {
      const merged = mergeRanges({ all: ranges.map((one) => rule('launchCount', one)) }) as {
        all: { rule: FittedRule }[]
      }
      expect(merged.all).toHaveLength(1)
      for (let number = -4; number <= 4; number += 0.5) {
        const inAll = ranges.every((one) => passes(one, number))
        expect(passes(merged.all[0]?.rule.test as Test, number)).toBe(inAll)
      }
    }),
  )
})

it('leaves alone what is of other names, negated, no range, or only one of several', () => {
  const from = { from: { value: 1, isInclusive: true } }
  const condition: Condition<FittedRule> = {
    all: [
      rule('launchCount', from),
      rule('purchase.count', from),
      rule('launchCount', { in: [5] }, true),
      { any: [rule('launchCount', from), rule('launchCount', { to: { value: 9, isInclusive: false } })] },
      rule('clientVersion', { from: { value: 'b1#', isInclusive: true } }),
      rule('clientVersion', { to: { value: 'b2#', isInclusive: true } }),
    ],
  }
  expect(mergeRanges(condition)).toEqual(condition)
})

it('does not change the rules that it was given', () => {
  const rules = [
    rule('launchCount', { from: { value: 1, isInclusive: true } }),
    rule('launchCount', { to: { value: 9, isInclusive: true } }),
  ]
  const before = structuredClone(rules)
  mergeRanges({ all: rules })
  expect(rules).toEqual(before)
})
