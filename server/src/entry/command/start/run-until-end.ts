import type { Config } from '#base/config.ts'
import { createLogger, type Logger } from '#base/log.ts'
import { announce } from './announce.ts'
import { CleanupSteps } from './cleanup-steps.ts'
import type { RunningService, Start } from './running.ts'
import { watchForEnd } from './watch-for-end.ts'

/**
 * Starts the service, says where it is, and stops what was started when it is told to end. `endAtOnce` is what cannot wait
 * for that, beside the first thing that was started. Answers the exit code.
 */
export async function runUntilEnd(
  config: Config,
  begin: (start: Start) => Promise<RunningService>,
  { log, isTerminal }: { log: Logger; isTerminal: boolean } = openLog(config),
  endAtOnce: () => void = () => undefined,
): Promise<number> {
  const cleanup = new CleanupSteps()
  const end = watchForEnd(log, {
    endsWithParent: config.isUnderNpm,
    endAtOnce: () => {
      endAtOnce()
      return cleanup.runFirst()
    },
  })
  try {
    announce(await begin({ config, log, cleanup, signal: end.signal }), { log, isTerminal })
    return await end.exitCode
  } catch (error) {
    // A start that was told to stop in between did not fail.
    if (end.signal.aborted) return await end.exitCode
    throw error
  } finally {
    await cleanup.runAll(log)
    endAtOnce()
    if (end.signal.aborted) log.info('stopped')
  }
}

export function openLog({ logLevel: level, traces }: Config): { log: Logger; isTerminal: boolean } {
  const isTerminal = process.stdout.isTTY === true
  return { log: createLogger({ level, isTerminal, isTraced: traces !== undefined }), isTerminal }
}
