import { roles as allRoles, type Role } from '#base/config.ts'
import type { Durations } from '#base/durations.ts'
import type { External } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import type { Store } from '#base/store/store.ts'
import { createBackupLoop } from '#features/backups/backup-loop.ts'
import type { BackupPlan } from '#features/backups/make-scheduled-backup.ts'
import type { SendingGate } from '#features/backups/sending-gate.ts'
import { createDispatcher, type DispatcherFigures } from '#features/deliveries/dispatch/dispatcher.ts'
import { createFallbackLoop } from '#features/deliveries/fallback/fallback-loop.ts'
import { createScheduleLoop } from '#features/messages/schedule/schedule-loop.ts'
import { createWebhookLoop } from '#features/webhooks/calls/webhook-loop.ts'
import { hasPart, type Part } from '../roles.ts'
import { jobs } from './jobs.ts'
import { createRunner } from './runner.ts'
import { schedule } from './schedule.ts'

export interface Worker {
  start(): void
  /** Returns when what runs has ended. */
  stop(): Promise<void>
}

interface JobWorker extends Worker {
  /** What delivery has done and has to do; undefined where this process delivers nothing. */
  readonly deliveryFigures: DispatcherFigures | undefined
  /** Time has been put forward: every job runs at once. */
  hurry(): void
}

interface Services {
  store: Store
  log: Logger
  now(): Date
  external: External
  pushesPerSecond: number
  durations: Durations
  /** Of this process; all unless given. */
  roles?: readonly Role[]
  /** While it is closed, nothing is sent. */
  gate?: SendingGate
  /** When backups are made; undefined: never. */
  backups?: BackupPlan | undefined
}

/**
 * Does what nobody calls for. Several processes may each have one: a job runs in one of them at a time, a loop shares
 * its work with those of the others. Which loops a process has, its roles say (base/roles.ts).
 */
export function createWorker(services: Services): JobWorker {
  const { gate, backups, roles = allRoles } = services
  const ifHere = <Loop>(part: Part, create: () => Loop) => (hasPart(roles, part) ? create() : undefined)
  const runner = ifHere('scheduled-jobs', () => createRunner({ ...services, jobs, schedule }))
  const backupLoop = backups && ifHere('backup-loop', () => createBackupLoop(services, backups))
  const dispatcher = ifHere('delivery-loop', () => createDispatcher(services))
  const parts: Worker[] = [runner, backupLoop].filter((part) => part !== undefined)
  const senders: Worker[] = [
    dispatcher,
    ifHere('schedule-loop', () => createScheduleLoop(services)),
    ifHere('fallback-loop', () => createFallbackLoop(services)),
    ifHere('webhook-loop', () => createWebhookLoop(services)),
  ].filter((sender) => sender !== undefined)
  const startSending = () => {
    for (const sender of senders) sender.start()
  }
  return {
    hurry: () => runner?.hurry(),
    get deliveryFigures() {
      return dispatcher?.figures
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
