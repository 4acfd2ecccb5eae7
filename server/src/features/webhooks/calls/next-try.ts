import { defaultDurations } from '#base/durations.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const longestWaitMs = 1 * HOUR
const jitter = 0.2

/** How long to wait after a call failed for the n-th time: twice as long each time, never sooner than was asked for. */
export function nextTryMs(
  failures: number,
  retryAfterMs = 0,
  chance = Math.random(),
  firstWaitMs = defaultDurations.webhookRetryMs,
): number {
  const waitMs = Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 20), longestWaitMs)
  return Math.round(Math.max(waitMs * (1 - jitter + 2 * jitter * chance), retryAfterMs * (1 + jitter * chance)))
}
