import type { Durations } from '../../base/durations.ts'
import type { External } from '../../base/external.ts'
import type { Logger } from '../../base/log.ts'
import type { Store } from '../../base/store/store.ts'
import { createBackupLoop } from '../../features/backups/backup-loop.ts'
import type { BackupPlan } from '../../features/backups/make-scheduled-backup.ts'
import type { SendingGate } from '../../features/backups/sending-gate.ts'
import { createDispatcher, type DispatcherFigures } from '../../features/deliveries/dispatch/dispatcher.ts'
import { createFallbackLoop } from '../../features/deliveries/fallback/fallback-loop.ts'
import { createScheduleLoop } from '../../features/messages/schedule/schedule-loop.ts'
import { createWebhookLoop } from '../../features/webhooks/calls/webhook-loop.ts'
import { jobs } from './jobs.ts'
import { createRunner } from './runner.ts'
import { schedule } from './schedule.ts'

export interface Worker {
  start(): void
  /** Returns when what runs has ended. */
  stop(): Promise<void>
}

interface JobWorker extends Worker {
  /** What delivery has done and has to do. */
  readonly deliveryFigures: DispatcherFigures
  /** Time has been put forward: every job runs at once. */
  hurry(): void
}

/**
 * Does what nobody calls for. Several processes may each have one: a job runs in one of them at a time, a loop shares
 * its work with those of the others.
 */
export function createWorker(services: {
  store: Store
  log: Logger
  now(): Date
  external: External
  pushesPerSecond: number
  durations: Durations
  /** While it is closed, nothing is sent. */
  gate?: SendingGate
  /** When backups are made; undefined: never. */
  backups?: BackupPlan | undefined
}): JobWorker {
  const { gate, backups } = services
  const runner = createRunner({ ...services, jobs, schedule })
  const parts: Worker[] = [runner, ...(backups ? [createBackupLoop(services, backups)] : [])]
  const dispatcher = createDispatcher(services)
  const senders: Worker[] = [
    dispatcher,
    createScheduleLoop(services),
    createFallbackLoop(services),
    createWebhookLoop(services),
  ]
  const startSending = () => {
    for (const sender of senders) sender.start()
  }
  return {
    hurry: runner.hurry,
    get deliveryFigures() {
      return dispatcher.figures
    },
    start() {
      for (const part of parts) part.start()
      if (gate) gate.whenOpen(startSending)
      else startSending()
    },
    async stop() {
      await gate?.stop()
      await Promise.all([...parts, ...senders].map((part) => part.stop()))
    },
  }
}
