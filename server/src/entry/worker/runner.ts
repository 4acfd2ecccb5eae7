import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { External } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import { runAlone } from '#base/store/run-alone.ts'
import type { Store } from '#base/store/store.ts'
import { isStoreAway } from '#base/store/store-error.ts'

/** What a job's verb is given: it works for all apps. */
export interface JobContext {
  store: Store
  log: Logger
  now(): Date
  external: External
  /** Aborted when the worker stops: long work ends at its next step. */
  signal: AbortSignal
}

export type Job = (context: JobContext) => Promise<unknown>

/** Jobs that follow one another: while one of them runs, the others of its lane wait. */
export interface JobLane<Name extends string> {
  name: string
  jobs: readonly { job: Name; everyMs: number }[]
}

interface Services<Name extends string> {
  store: Store
  log: Logger
  now(): Date
  external: External
  jobs: Record<Name, Job>
  schedule: readonly JobLane<Name>[]
  /** The pause after a first failure, twice as long after each further one; a second unless given. */
  firstRetryMs?: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const longestWaitForStoreMs = 4 * SECOND

/** Runs each lane's jobs as they fall due, until it is stopped. Durations are of the monotonic clock: see ./schedule.ts. */
export function createRunner<Name extends string>(services: Services<Name>) {
  const stopping = new AbortController()
  const hurries = new EventEmitter<{ hurry: [] }>().setMaxListeners(0)
  let lanes: Promise<void>[] = []
  return {
    start(): void {
      if (lanes.length === 0) lanes = services.schedule.map((lane) => runLane(services, lane, stopping.signal, hurries))
    },
    /** Every job is due now. */
    hurry: (): void => void hurries.emit('hurry'),
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(lanes)
    },
  }
}

async function runLane<Name extends string>(
  services: Services<Name>,
  lane: JobLane<Name>,
  signal: AbortSignal,
  hurries: EventEmitter<{ hurry: [] }>,
) {
  const turns = lane.jobs.map((each) => ({ ...each, dueAt: performance.now(), failures: 0, isHurried: false }))
  let endWait = () => {}
  hurries.on('hurry', () => {
    for (const turn of turns) turn.isHurried = true
    endWait()
  })
  while (!signal.aborted) {
    for (const turn of turns) {
      if (turn.isHurried) turn.dueAt = Math.min(turn.dueAt, performance.now())
      turn.isHurried = false
    }
    const next = turns.reduce((first, turn) => (turn.dueAt < first.dueAt ? turn : first))
    const waiting = new AbortController()
    endWait = () => waiting.abort()
    await waitUntil(next.dueAt, AbortSignal.any([signal, waiting.signal]))
    if (signal.aborted) return
    // Others may be due before it by now.
    if (waiting.signal.aborted) continue
    const error = await attempt(services, next.job, signal)
    next.failures = error === undefined ? 0 : next.failures + 1
    if (error !== undefined) report(services.log, next.job, error, next.failures)
    next.dueAt =
      performance.now() + (error === undefined ? next.everyMs : retryDelay(error, next, services.firstRetryMs))
  }
}

async function attempt<Name extends string>(services: Services<Name>, name: Name, signal: AbortSignal) {
  const { store, log, now, external, jobs } = services
  try {
    await runAlone(store, name, () => jobs[name]({ store, log, now, external, signal }))
    return undefined
  } catch (error) {
    return error ?? new Error('a job failed without saying why')
  }
}

/** Twice as long after each failure: up to the job's own pace, but not more often than once a minute. */
function retryDelay(
  error: unknown,
  { failures, everyMs }: { failures: number; everyMs: number },
  firstRetryMs = SECOND,
): number {
  const longest = isStoreAway(error) ? longestWaitForStoreMs : Math.max(everyMs, MINUTE)
  return Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 20), longest)
}

/** A database that is away is one line in the log, not one per try. */
function report(log: Logger, job: string, error: unknown, failures: number): void {
  if (!isStoreAway(error)) log.error({ err: error, job }, `the job ${job} failed and will be tried again`)
  else if (failures === 1) log.warn({ job }, `the job ${job} waits for the database`)
}

async function waitUntil(dueAt: number, signal: AbortSignal): Promise<void> {
  const ms = dueAt - performance.now()
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined)
}
