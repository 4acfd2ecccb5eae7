import type { Config } from '#base/config.ts'
import { findClockFault } from '#base/store/clock/check-clock.ts'
import { StoreClock } from '#base/store/clock/store-clock.ts'
import type { Store } from '#base/store/store.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** More is not an accident of measuring. */
const usualSkewMs = 5_000

export interface ClockReport {
  findings: Finding[]
  /** The service's time. */
  now(): Date
}

/** This machine's clock against the database's. */
export async function checkClock(store: Store, { mode }: Config, machineNow: () => Date): Promise<ClockReport> {
  const clock = new StoreClock(store, machineNow)
  await clock.measure()
  return { findings: [judgeClock(clock, { mode, machineNow: machineNow() })], now: clock.now }
}

export function judgeClock(...[clock, machine]: Parameters<typeof findClockFault>): Finding {
  const wrong = findClockFault(clock, machine)
  const advice = 'Let both machines keep their time by NTP (timedatectl set-ntp true).'
  if (wrong !== undefined) return fault('clock', wrong, advice)
  const skewMs = Number(machine.machineNow) - Number(clock.realNow())
  const skew = `${Math.abs(skewMs / 1_000).toFixed(1)} seconds ${skewMs < 0 ? 'behind' : 'ahead of'} the database's`
  if (Math.abs(skewMs) > usualSkewMs) return warning('clock', `The clock of this machine is ${skew}.`, advice)
  return ok('clock', `this machine's clock is ${skew}`)
}
