import type { Context } from '#base/context.ts'
import { createLoop } from '#base/loop.ts'
import { alertAllApps } from '../accounts/alerts/alert-all-apps.ts'
import { type Hold, readRestoreHold } from './read-restore-hold.ts'

type Services = Pick<Context, 'store' | 'now' | 'log'>

/** Whether this process may send. It is closed after a restore, until somebody has decided: see resume-sending.ts. */
export interface SendingGate {
  isOpen(): boolean
  /** Calls back at once when it is open, else when it opens; never after it was stopped. */
  whenOpen(start: () => void): void
  stop(): Promise<void>
}

const lookEveryMs = 1_000

export async function openSendingGate(services: Services): Promise<SendingGate> {
  const { log } = services
  let hold = await readRestoreHold(services)
  let isTold = false
  const waiting: (() => void)[] = []

  const loop = createLoop({
    name: 'the hold after a restore',
    log,
    everyMs: lookEveryMs,
    turn: async () => {
      const found = await readRestoreHold(services)
      if (found && !isTold) {
        await alertAllApps(services, { kind: 'restored', text: describeHold(found) })
        isTold = true
      }
      hold = found
      if (hold) return false
      log.info('what a restore held back is released: sending begins')
      // Not waited for: it ends with this turn.
      void loop.stop()
      for (const start of waiting.splice(0)) start()
      return false
    },
  })
  if (hold) {
    log.warn(describeHold(hold))
    loop.start()
  }

  return {
    isOpen: () => hold === undefined,
    whenOpen(start) {
      if (hold) waiting.push(start)
      else start()
    },
    async stop() {
      waiting.length = 0
      await loop.stop()
    },
  }
}

function describeHold({ backupMadeAt }: Hold): string {
  return `This service was restored from a backup of ${backupMadeAt.toISOString()}. Nothing is sent, neither what waited then nor what comes now, until somebody runs "peyk resume" and says what becomes of what waited.`
}
