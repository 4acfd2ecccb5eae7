import type { Context } from '#base/context.ts'
import { createLoop, type Loop } from '#base/loop.ts'
import { alertOverdue } from './alert-overdue.ts'
import { type BackupPlan, makeScheduledBackup } from './make-scheduled-backup.ts'

const lookEveryMs = 60_000

/**
 * Makes the backups of the schedule, and tells when there are none. A backup that is under way when the service stops is
 * given up.
 */
export function createBackupLoop(
  services: Pick<Context, 'store' | 'now' | 'log'>,
  plan: BackupPlan,
): Pick<Loop, 'start' | 'stop'> {
  const { log } = services
  const stopping = new AbortController()
  const startedAtMs = performance.now()

  const make = async (): Promise<boolean> => {
    try {
      await makeScheduledBackup({ ...services, signal: stopping.signal }, plan)
    } catch (error) {
      if (!stopping.signal.aborted) throw error
    }
    return false
  }

  const tell = (): Promise<boolean> =>
    alertOverdue(services, { everyMs: plan.everyMs, runningMs: performance.now() - startedAtMs }).then(() => false)

  const loops = [
    createLoop({ name: 'the schedule of backups', log, everyMs: lookEveryMs, turn: make }),
    // Apart, because a backup may take for ever.
    createLoop({ name: 'the watch over backups', log, everyMs: lookEveryMs, turn: tell }),
  ]
  return {
    start() {
      for (const loop of loops) loop.start()
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
