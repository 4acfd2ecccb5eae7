const SECOND = 1_000
const firstMs = 1 * SECOND
const longestMs = 60 * SECOND

/**
 * How long to wait before the next try, after so many that failed: doubling, and between half and all of it, so that
 * the clients of a service that was away do not all come back at once.
 */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  const ms = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1))
  return ms / 2 + (ms / 2) * random()
}
