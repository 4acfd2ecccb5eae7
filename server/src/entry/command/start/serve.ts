import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import type { Config } from '../../../base/config.ts'
import { createLogger } from '../../../base/log.ts'
import { announce } from './announce.ts'
import { CleanupSteps } from './cleanup-steps.ts'
import { startUp } from './start-up.ts'
import { watchForEnd } from './watch-for-end.ts'

/** Runs the service, in as many processes as there are to be, until it is told to end, and answers the exit code. */
export async function serve(config: Config): Promise<number> {
  if (cluster.isWorker) return (await import('./processes/serve-beside-others.ts')).serveBesideOthers(config)
  if (config.processes > 1) return (await import('./processes/serve-several.ts')).serveSeveral(config)
  return serveAlone(config)
}

async function serveAlone(config: Config): Promise<number> {
  const isTerminal = process.stdout.isTTY === true
  const log = createLogger({ level: config.logLevel, isTerminal, isTraced: config.traces !== undefined })
  const cleanup = new CleanupSteps()
  const end = watchForEnd(log, { endsWithParent: config.isUnderNpm, endAtOnce: () => cleanup.runFirst() })
  try {
    announce(await startUp({ config, log, cleanup, signal: end.signal }), { log, isTerminal })
    flushCompileCache()
    return await end.exitCode
  } catch (error) {
    // A start that was told to stop in between did not fail.
    if (end.signal.aborted) return await end.exitCode
    throw error
  } finally {
    await cleanup.runAll(log)
    if (end.signal.aborted) log.info('stopped')
  }
}
