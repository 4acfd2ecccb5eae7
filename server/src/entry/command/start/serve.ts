import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import type { Config } from '#base/config.ts'
import { runUntilEnd } from './run-until-end.ts'
import { startUp } from './start-up.ts'
import { holdYoungGeneration } from './young-generation.ts'

/** Runs the service, in as many processes as there are to be, until it is told to end, and answers the exit code. */
export async function serve(config: Config): Promise<number> {
  if (cluster.isWorker) return (await import('./processes/serve-beside-others.ts')).serveBesideOthers(config)
  if (config.processes > 1) return (await import('./processes/serve-several.ts')).serveSeveral(config)
  return runUntilEnd(config, async (start) => {
    const letGrow = holdYoungGeneration()
    const service = await startUp(start)
    letGrow()
    flushCompileCache()
    return service
  })
}
