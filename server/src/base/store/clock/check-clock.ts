import type { StoreClock } from './store-clock.ts'

/** Its message is one line, for the person who looks after the machines. */
export class ClockError extends Error {}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Certificates, tokens and logs of this machine would be wrong by more. */
const mostSkewMs = 5 * MINUTE

/** What is wrong with the time, as one line. What a demonstration has added does not count as skew. */
export function findClockFault(
  clock: Pick<StoreClock, 'realNow' | 'forwardMs'>,
  { mode, machineNow }: { mode: 'development' | 'production'; machineNow: Date },
): string | undefined {
  const skewMs = Number(machineNow) - Number(clock.realNow())
  if (Math.abs(skewMs) > mostSkewMs) {
    const [machine, database] = [machineNow, clock.realNow()].map((at) => at.toISOString())
    return `The clock of this machine says ${machine} and that of the database ${database}: they differ by ${describe(skewMs)}, and at most ${mostSkewMs / MINUTE} minutes are allowed. Set the wrong one right.`
  }
  if (mode === 'production' && clock.forwardMs > 0)
    return `The time of this database was put forward by ${describe(clock.forwardMs)} for a demonstration (peyk time forward). Use another database in production.`
  return undefined
}

/** Before anything is stored by it. */
export function refuseClock(...given: Parameters<typeof findClockFault>): void {
  const fault = findClockFault(...given)
  if (fault !== undefined) throw new ClockError(fault)
}

function describe(ms: number): string {
  const size = Math.abs(ms)
  if (size < 2 * HOUR) return `${Math.round(size / MINUTE)} minutes`
  return size < 48 * HOUR ? `${Math.round(size / HOUR)} hours` : `${Math.round(size / (24 * HOUR))} days`
}
