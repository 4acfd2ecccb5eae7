import { NotKept } from '../not-kept.ts'
import type { NumberRange } from '../number-range.ts'

/** So near, PostgreSQL's decimals and our binary fractions may be on different sides of a bound. */
const nearness = 1e-12

/** A sum divided by a count, on the same side of each bound as PostgreSQL's. NaN where there are no values. */
export function average(sum: number, count: number, ranges: readonly NumberRange[]): number {
  const value = sum / count
  for (const { low, high } of ranges) {
    for (const bound of [low, high]) {
      if (!Number.isFinite(bound) || Math.abs(value - bound) > Math.abs(bound) * nearness) continue
      const product = bound * count
      const isSure = Number.isSafeInteger(sum) && Number.isSafeInteger(bound) && Number.isSafeInteger(product)
      if (isSure && product === sum) return bound
      if (!isSure) throw new NotKept('An average is too near to a bound.')
    }
  }
  return value
}
