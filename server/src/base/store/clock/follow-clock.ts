import type { Logger } from '../../log.ts'
import { findClockFault } from './check-clock.ts'
import type { StoreClock } from './store-clock.ts'

const everyMs = 10_000

/** Keeps the clock right while the service runs, and says so when this machine's differs from it. Answers how to end it. */
export function followClock(
  clock: StoreClock,
  { log, mode, machineNow }: { log: Logger; mode: 'development' | 'production'; machineNow: () => Date },
): () => void {
  let hasFault = false
  const timer = setInterval(() => {
    clock.measure().then(
      () => {
        const fault = findClockFault(clock, { mode, machineNow: machineNow() })
        if (fault !== undefined && !hasFault) log.error(fault)
        hasFault = fault !== undefined
      },
      // The database is away: the monotonic clock goes on.
      () => undefined,
    )
  }, everyMs)
  return () => clearInterval(timer)
}
