const SECOND = 1_000
const firstDelayMs = 100
const longestDelayMs = 30 * SECOND
/** Whoever has lived for so long did not die of its start. */
const settledMs = 60 * SECOND

/** How long to wait before a process is started again, and what to remember of it: twice as long each time it dies young. */
export function restartDelay(livedMs: number, earlyEnds: number): { delayMs: number; earlyEnds: number } {
  if (livedMs >= settledMs) return { delayMs: firstDelayMs, earlyEnds: 1 }
  return { delayMs: Math.min(firstDelayMs * 2 ** Math.min(earlyEnds, 20), longestDelayMs), earlyEnds: earlyEnds + 1 }
}
