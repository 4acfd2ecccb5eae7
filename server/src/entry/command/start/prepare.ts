import type { Config } from '#base/config.ts'
import type { External } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import { migrate } from '#base/store/migrate.ts'
import { createPartitions, monthsAtStart } from '#base/store/partitions.ts'
import type { Store } from '#base/store/store.ts'
import { listApps } from '#features/accounts/apps/list-apps.ts'
import { hasAnyMember } from '#features/accounts/members/has-any-member.ts'
import { openExternal } from '../open-external.ts'
import type { CleanupSteps } from './cleanup-steps.ts'
import type { Demo } from './demo.ts'
import { baseUrlAt, httpUrlAt } from './listen.ts'
import { closeSimulator, type OpenSimulator, openSimulator } from './open-simulator.ts'
import { type Start, stopLimitMs } from './running.ts'
import { openClock, type ServiceClock } from './service-clock.ts'
import { whenStoreAnswers } from './when-store-answers.ts'

export interface PreparedStart {
  clock: ServiceClock
  external: External
  /** In development only. */
  simulator: OpenSimulator | undefined
  demo: Demo | undefined
  hasApps: boolean
  hasMembers: boolean
  /** When it is known where the service answers. */
  keepDemoFile(at: Pick<Config, 'host' | 'port' | 'tls'>): Promise<void>
}

/** What is done once before anybody is served: the database is brought up to date, the simulator and its demo are there. */
export async function prepareStart(start: Start, store: Store): Promise<PreparedStart> {
  const { config, log, cleanup } = start
  const reading = import('./demo.ts')
  reading.catch(() => undefined)
  const opening = beginSimulator(config, log, cleanup)
  await whenStoreAnswers(start, () => migrate(store, (name) => log.info(`migrated the database: ${name}`)))
  const clock = await whenStoreAnswers(start, () => openClock(store, config, log))
  cleanup.add({ what: 'Stopping the clock', limitMs: stopLimitMs, run: clock.stop })
  const { now } = clock
  for (const { table, reason } of await whenStoreAnswers(start, () => createPartitions(store, now(), monthsAtStart)))
    log.warn({ table, reason }, `months of ${table} could not be made yet; the worker tries again`)
  const { keepDemoFile, prepareDemo } = await reading
  const simulator = await opening
  const external = await openExternal(config, simulator?.endpoints)
  const demo =
    simulator && (await whenStoreAnswers(start, () => prepareDemo({ store, log, now, external }, config, simulator)))
  return {
    ...{ clock, external, simulator, demo },
    hasApps: await whenStoreAnswers(start, async () => (await listApps({ store, now })).length > 0),
    hasMembers: await whenStoreAnswers(start, () => hasAnyMember({ store, now })),
    keepDemoFile: async (at) => {
      if (demo) await keepDemoFile(demo, httpUrlAt(baseUrlAt(at.host, at.port), at))
    },
  }
}

function beginSimulator(config: Config, log: Logger, cleanup: CleanupSteps): Promise<OpenSimulator> | undefined {
  if (config.mode !== 'development') return undefined
  const opening = openSimulator(config, log)
  cleanup.add({ what: 'Stopping the simulator', limitMs: stopLimitMs, run: () => closeSimulator(opening) })
  return opening
}
