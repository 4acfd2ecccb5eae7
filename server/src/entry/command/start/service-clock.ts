import type { Config } from '#base/config.ts'
import type { Logger } from '#base/log.ts'
import { refuseClock } from '#base/store/clock/check-clock.ts'
import { followClock } from '#base/store/clock/follow-clock.ts'
import { StoreClock } from '#base/store/clock/store-clock.ts'
import type { Store } from '#base/store/store.ts'

export interface ServiceClock {
  now(): Date
  /** Asks the database what time it is. */
  measure(): Promise<unknown>
  stop(): Promise<void>
}

/** The one clock of the service: the database's. */
export async function openClock(store: Store, { mode }: Pick<Config, 'mode'>, log: Logger): Promise<ServiceClock> {
  const machineNow = () => new Date()
  const clock = new StoreClock(store, machineNow)
  await clock.measure()
  refuseClock(clock, { mode, machineNow: machineNow() })
  const stop = followClock(clock, { log, mode, machineNow })
  return { now: clock.now, measure: () => clock.measure(), stop: async () => stop() }
}
