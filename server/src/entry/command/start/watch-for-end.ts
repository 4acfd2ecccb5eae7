import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#base/log.ts'

export interface End {
  /** Aborted when the process has to end. The reason is `plannedStop` if somebody asked for it. */
  signal: AbortSignal
  exitCode: Promise<number>
  /** For the primary, which stops this process. */
  ask(options: { isPlanned: boolean }): void
}

/**
 * A planned stop has time, because a supervisor waits for it. A closed terminal, a lost parent, or a bug leaves none.
 */
export const plannedStop = new Error('the process was asked to stop')
const unplannedStop = new Error('the process has to end')

// Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
const sameKeyPressMs = 200
const atOnceMs = 1_000
const lookAtParentMs = 500

export interface EndOptions {
  endAtOnce(): Promise<void>
  /** Whoever started us waits for us: once they are gone, nobody knows that we run. */
  endsWithParent: boolean
}

/**
 * Waits for a reason to end: a signal, or the end of the parent (exit code 0), or a fault of our own that nobody caught
 * (1). A second signal ends the process without waiting for requests; PostgreSQL is told to stop all the same.
 */
export function watchForEnd(log: Logger, options: EndOptions): End {
  const controller = new AbortController()
  const { promise: exitCode, resolve } = Promise.withResolvers<number>()
  let askedAt: number | undefined
  const begin = (why: object, isPlanned: boolean) => {
    if (controller.signal.aborted) return
    log.info(why, 'stopping')
    controller.abort(isPlanned ? plannedStop : unplannedStop)
    resolve(0)
  }
  const onSignal = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    const first = askedAt
    askedAt ??= performance.now()
    if (first === undefined) begin({ signal: name }, name !== 'SIGHUP')
    else if (performance.now() - first > sameKeyPressMs) {
      const exit = () => process.exit(128 + constants.signals[name])
      Promise.race([options.endAtOnce(), sleep(atOnceMs)]).then(exit, exit)
    }
  }
  const onFault = (error: unknown) => {
    log.fatal({ err: error }, 'a fault of our own that nobody caught; stopping')
    controller.abort(unplannedStop)
    resolve(1)
  }
  // SIGHUP is a closed terminal. Node ends on it even under nohup, and PostgreSQL would be left behind.
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal)
  if (options.endsWithParent) {
    watchParent((parent) => {
      log.info({ parent }, 'the process that started this one has ended')
      onSignal('SIGHUP')
    })
  }
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault)
  return { signal: controller.signal, exitCode, ask: ({ isPlanned }) => begin({}, isPlanned) }
}

/** npm passes on SIGINT and SIGTERM only. Of what else ends it we know by having another parent. */
function watchParent(onEnd: (parent: number) => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd(parent)
  }, lookAtParentMs)
  timer.unref()
}
