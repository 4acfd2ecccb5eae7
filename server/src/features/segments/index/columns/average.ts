import { NotKept } from '../not-kept.ts'

/** So near, PostgreSQL's decimals and our binary fractions may be on different sides of a bound. */
const nearness = 1e-12

/** A sum divided by a count, on the same side of each bound as PostgreSQL's. NaN where there are no values. */
export function average(sum: number, count: number, bounds: readonly number[]): number {
  const value = sum / count
  for (const bound of bounds) {
    if (!(Math.abs(value - bound) <= Math.abs(bound) * nearness)) continue
    const product = bound * count
    const isSure = Number.isSafeInteger(sum) && Number.isSafeInteger(bound) && Number.isSafeInteger(product)
    if (isSure && product === sum) return bound
    if (!isSure || value === bound) throw new NotKept('An average is too near to a bound.')
  }
  return value
}
