export interface Percentiles {
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
