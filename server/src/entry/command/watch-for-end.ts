import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../base/log.ts'

export interface End {
  /** Aborted when the process is to end. */
  signal: AbortSignal
  exitCode: Promise<number>
}

// Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
const sameKeyPressMs = 200
const atOnceMs = 1_000

/**
 * Waits for a reason to end: a signal (exit code 0) or a fault of our own that nobody caught (1). A second signal ends
 * the process without waiting for requests; PostgreSQL is told to stop all the same.
 */
export function watchForEnd(log: Logger, options: { isTerminal: boolean; endAtOnce(): Promise<void> }): End {
  const controller = new AbortController()
  let askedAt: number | undefined
  const exitCode = new Promise<number>((resolve) => {
    const onSignal = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
      const first = askedAt
      askedAt ??= performance.now()
      if (first === undefined) {
        log.info({ signal: name }, 'stopping')
        controller.abort()
        resolve(0)
      } else if (performance.now() - first > sameKeyPressMs) {
        const exit = () => process.exit(128 + constants.signals[name])
        Promise.race([options.endAtOnce(), sleep(atOnceMs)]).then(exit, exit)
      }
    }
    const onFault = (error: unknown) => {
      log.fatal({ err: error }, 'a fault of our own that nobody caught; stopping')
      controller.abort()
      resolve(1)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
    // A closed terminal; but who runs it under nohup wants it to stay.
    if (options.isTerminal) process.on('SIGHUP', onSignal)
    process.on('uncaughtException', onFault).on('unhandledRejection', onFault)
  })
  return { signal: controller.signal, exitCode }
}
