import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, loadConfig } from '#base/config.ts'
import type { OutwardContext } from '#base/context.ts'
import type { Endpoints } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import { openSimulator } from '../start/open-simulator.ts'
import { withApp } from '../with-app.ts'

/** For the commands about an app's providers: in development the simulator of the service beside them is one too. */
export function withProviders<T>(label: string, work: (ctx: OutwardContext) => Promise<T>): Promise<T> {
  return withApp(label, async (ctx) => {
    const simulated = await findSimulator(loadConfig(), ctx.log)
    return work(simulated ? { ...ctx, external: { ...ctx.external, simulated } } : ctx)
  })
}

async function findSimulator(config: Config, log: Logger): Promise<Endpoints | undefined> {
  if (config.mode === 'production') return undefined
  if (config.simulatorUrl !== undefined) return (await openSimulator(config, log)).endpoints
  const simulatorUrl = await readDemoUrl(config)
  if (simulatorUrl === undefined) return undefined
  // It may have ended since.
  const simulator = await openSimulator({ ...config, simulatorUrl }, log).catch(() => undefined)
  return simulator?.endpoints
}

async function readDemoUrl({ dataFolder }: Config): Promise<string | undefined> {
  try {
    const { simulatorUrl } = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8')) as Record<
      string,
      unknown
    >
    return typeof simulatorUrl === 'string' ? simulatorUrl : undefined
  } catch {
    return undefined
  }
}
