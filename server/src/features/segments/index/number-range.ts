import type { Test } from '../condition.ts'
import { wholeFrom, wholeTo } from '../whole-bounds.ts'

/** Numbers from the one to the other, both included. */
export interface NumberRange {
  low: number
  high: number
}

const everything: NumberRange = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** Which whole numbers pass: moments in milliseconds, and counts. Any of the ranges will do. */
export function wholeRanges(test: Test): NumberRange[] {
  if ('exists' in test) return [everything]
  if ('in' in test) return test.in.filter((value) => Number.isInteger(value)).map(only)
  return [
    {
      low: test.from ? wholeFrom(test.from) : everything.low,
      high: test.to ? wholeTo(test.to) - 1 : everything.high,
    },
  ]
}

/** Which numbers pass. Any of the ranges will do. */
export function numberRanges(test: Test): NumberRange[] {
  if ('exists' in test) return [everything]
  if ('in' in test) return test.in.map(only)
  const { from, to } = test
  const low = from && (from.isInclusive ? Number(from.value) : nextAbove(Number(from.value)))
  const high = to && (to.isInclusive ? Number(to.value) : -nextAbove(-Number(to.value)))
  return [{ low: low ?? everything.low, high: high ?? everything.high }]
}

/** The numbers at which it changes whether one passes. */
export function boundsOf(test: Test): number[] {
  if ('exists' in test) return []
  if ('in' in test) return test.in.map(Number)
  return [test.from, test.to].flatMap((bound) => (bound ? [Number(bound.value)] : []))
}

function only(value: number | string): NumberRange {
  return { low: Number(value), high: Number(value) }
}

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** The next number that there is. */
export function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  double[0] = value
  bits[0] = (bits[0] as bigint) + (value > 0 ? 1n : -1n)
  return double[0]
}
