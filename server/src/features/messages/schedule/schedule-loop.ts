import { createLoop, type Loop } from '#base/loop.ts'
import { type Services, startScheduled } from './start-scheduled.ts'

const lookEveryMs = 1_000

/** Starts scheduled messages when they are due. Several processes share the work. */
export function createScheduleLoop(services: Services): Loop {
  return createLoop({
    name: 'starting scheduled messages',
    log: services.log,
    everyMs: lookEveryMs,
    turn: () => startScheduled(services),
  })
}
