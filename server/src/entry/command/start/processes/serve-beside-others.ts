import { flushCompileCache } from 'node:module'
import type { Config } from '#base/config.ts'
import { createLogger } from '#base/log.ts'
import { describeFailure } from '../../failure.ts'
import { openExternal } from '../../open-external.ts'
import { CleanupSteps } from '../cleanup-steps.ts'
import { connectStore } from '../open-database.ts'
import { type Start, stopLimitMs } from '../running.ts'
import { openClock } from '../service-clock.ts'
import { watchForEnd } from '../watch-for-end.ts'
import { whenStoreAnswers } from '../when-store-answers.ts'
import { holdYoungGeneration } from '../young-generation.ts'
import type { Beginning } from './messages.ts'
import { Primary } from './primary.ts'

/** One of the processes that serve the same ports: the primary says when to begin and when to end. */
export async function serveBesideOthers(config: Config): Promise<number> {
  const letGrow = holdYoungGeneration()
  const primary = new Primary()
  const reading = import('../serve-here.ts')
  reading.catch(() => undefined)
  const { process: number, beginning } = await primary.begun
  const isTerminal = process.stdout.isTTY === true
  const log = createLogger({
    ...{ level: config.logLevel, isTerminal, base: { process: number } },
    isTraced: config.traces !== undefined,
  })
  const cleanup = new CleanupSteps()
  // Node itself ends the process when the primary is gone.
  const end = watchForEnd(log, { endsWithParent: false, endAtOnce: async () => undefined })
  primary.onEnd(end.ask)
  const { host, port, mqttPort } = beginning
  const roles = config.roles.filter((role) => role !== 'index' || number === indexKeeper)
  const start: Start = { config: { ...config, roles, host, port, mqttPort }, log, cleanup, signal: end.signal }
  try {
    const parts = await openParts(start, beginning)
    await (await reading).serveHere(start, { ...parts, metricsOfAll: primary })
    letGrow()
    primary.tell({ kind: 'listening' })
    flushCompileCache()
    return await end.exitCode
  } catch (error) {
    if (end.signal.aborted) return await end.exitCode
    const { exitCode, message } = describeFailure(error)
    await primary.tell({ kind: 'failed', message })
    return exitCode
  } finally {
    await cleanup.runAll(log)
    if (end.signal.aborted) log.info('stopped')
  }
}

/** Of the processes on one machine one keeps the indexes of segments: each takes memory, and PostgreSQL a slot. */
const indexKeeper = 1

async function openParts(start: Start, { connection, poolSize, demo, endpoints }: Beginning) {
  const { config, log, cleanup, signal } = start
  const { store, closeStore } = connectStore(connection, { ...config, poolSize }, log)
  cleanup.add({ what: 'Closing the connections to the database', limitMs: stopLimitMs, run: closeStore })
  const clock = await whenStoreAnswers(start, () => openClock(store, config, log))
  cleanup.add({ what: 'Stopping the clock', limitMs: stopLimitMs, run: clock.stop })
  signal.throwIfAborted()
  return { store, clock, external: await openExternal(config, endpoints), demo }
}
