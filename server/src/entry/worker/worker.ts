import type { Logger } from '../../base/log.ts'
import type { Outside } from '../../base/outside.ts'
import type { Store } from '../../base/store/store.ts'
import { jobs } from './jobs.ts'
import { createRunner } from './runner.ts'
import { schedule } from './schedule.ts'

export interface Worker {
  start(): void
  /** Returns when what runs has ended. */
  stop(): Promise<void>
}

/** Does what nobody calls for. Several processes may each have one: a job runs in one of them at a time. */
export function createWorker(services: { store: Store; log: Logger; now(): Date; outside: Outside }): Worker {
  return createRunner({ ...services, jobs, schedule })
}
