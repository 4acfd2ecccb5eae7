import type { AddressInfo } from 'node:net'
import { onTimeForward } from '../../../base/bus/time-broadcast.ts'
import { type Config, limits } from '../../../base/config.ts'
import type { Logger } from '../../../base/log.ts'
import { refuseClock } from '../../../base/store/clock/check-clock.ts'
import { followClock } from '../../../base/store/clock/follow-clock.ts'
import { StoreClock } from '../../../base/store/clock/store-clock.ts'
import { migrate } from '../../../base/store/migrate.ts'
import { createPartitions, monthsAtStart } from '../../../base/store/partitions.ts'
import type { Store } from '../../../base/store/store.ts'
import { listApps } from '../../../features/accounts/apps/list-apps.ts'
import { hasAnyMember } from '../../../features/accounts/members/has-any-member.ts'
import type { BackupPlan } from '../../../features/backups/make-scheduled-backup.ts'
import { openSendingGate } from '../../../features/backups/sending-gate.ts'
import { openExternal } from '../open-external.ts'
import type { CleanupSteps } from './cleanup-steps.ts'
import type { Demo } from './demo.ts'
import { findPlainHttp } from './find-plain-http.ts'
import { baseUrlAt, httpUrlAt, listen, mqttUrlAt } from './listen.ts'
import { openDatabase } from './open-database.ts'
import { closeSimulator, openSimulator } from './open-simulator.ts'

export interface RunningService {
  baseUrl: string
  /** Of the own connection over TCP; over WebSocket it is on the HTTP port. */
  mqttUrl: string
  /** In development only. */
  demo: Demo | undefined
  hasApps: boolean
  /** Somebody can sign in to the panel. */
  hasMembers: boolean
}

interface Start {
  config: Config
  log: Logger
  /** Whatever is started is added here, so that a start that fails halfway leaves nothing running. */
  cleanup: CleanupSteps
  signal: AbortSignal
}

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const stopLimitMs = 10 * SECOND
const postgresStopLimitMs = 40 * SECOND

export async function startUp({ config, log, cleanup, signal }: Start): Promise<RunningService> {
  log.info(config.databaseUrl === undefined ? `starting with the database in ${config.dataFolder}` : 'starting')
  // Reading the code takes about as long as PostgreSQL takes to start.
  const reading = Promise.all([
    import('../../http/server.ts'),
    import('../../worker/worker.ts'),
    import('../../worker/delivery-metrics.ts'),
    import('./demo.ts'),
    import('../../connection/server.ts'),
  ])
  reading.catch(() => undefined)
  const { store, closeStore, stopPostgres } = await openDatabase(config, log)
  cleanup.add({ what: 'Stopping PostgreSQL', limitMs: postgresStopLimitMs, run: stopPostgres })
  cleanup.add({ what: 'Closing the connections to the database', limitMs: stopLimitMs, run: closeStore })
  signal.throwIfAborted()

  const opening = config.mode === 'development' ? openSimulator(config, log) : undefined
  if (opening) cleanup.add({ what: 'Stopping the simulator', limitMs: stopLimitMs, run: () => closeSimulator(opening) })
  await migrate(store, (name) => log.info(`migrated the database: ${name}`))
  const { clock, now } = await openClock(store, config, log, cleanup)
  for (const { table, reason } of await createPartitions(store, now(), monthsAtStart))
    log.warn({ table, reason }, `months of ${table} could not be made yet; the worker tries again`)
  const [
    { createHttpServer },
    { createWorker },
    { addDeliveryMetrics },
    { keepDemoFile, prepareDemo },
    { createConnectionServer },
  ] = await reading
  const simulator = await opening
  const external = await openExternal(config, simulator?.endpoints)
  const demo = simulator && (await prepareDemo({ store, log, now, external }, config, simulator))
  // Who waits for the first answer finds the file there; with a port of chance it has to come after.
  if (demo && config.port !== 0) await keepDemoFile(demo, httpUrlAt(baseUrlAt(config.host, config.port), config))
  const apps = await listApps({ store, now })
  const hasMembers = await hasAnyMember({ store, now })
  signal.throwIfAborted()

  cleanup.add({ what: 'Committing what is under way', limitMs: stopLimitMs, run: store.drain })
  const gate = await openSendingGate({ store, log, now })
  cleanup.add({ what: 'Ending the hold after a restore', limitMs: stopLimitMs, run: gate.stop })
  const worker = createWorker({
    ...{ store, log, now, external, gate },
    pushesPerSecond: config.pushesPerSecond,
    durations: config.durations,
    backups: backupPlanOf(config),
  })
  cleanup.add({ what: 'Stopping the worker', limitMs: stopLimitMs, run: worker.stop })
  const http = await createHttpServer({
    ...{ config, store, log, now, demo },
    external: demo ? { ...external, phones: { simulatorUrl: demo.simulatorUrl, appLabel: demo.appId } } : external,
  })
  addDeliveryMetrics(http.registry, store, worker)
  const connections = await createConnectionServer({
    ...{ config, store, log, now, external },
    mayDeliver: gate.isOpen,
    http: http.app.server,
    registry: http.registry,
  })
  cleanup.add({
    what: 'Finishing the requests under way and closing the connections of clients',
    limitMs: limits.shutdownMs + SECOND,
    run: async () => void (await Promise.all([http.close(), connections.close()])),
  })
  const mqttUrl = mqttUrlAt(
    await listen(connections, { host: config.host, port: config.mqttPort }, 'PEYK_MQTT_PORT'),
    config,
  )
  const baseUrl = httpUrlAt(await listen(http.app, config), config)
  warnOfPlainHttp(http.app.server.address(), config, log)
  if (demo && config.port === 0) await keepDemoFile(demo, baseUrl)
  worker.start()
  onTimeForward(store, () => void clock.measure().then(worker.hurry, () => undefined))
  if (demo) {
    const size = config.crowdSize
    const crowd = { ...(size !== undefined && { size }), devices: demo.devices }
    await simulator.useService({ baseUrl, mqttUrl, clientKey: demo.clientKey, crowd })
  }
  return { baseUrl, mqttUrl, demo, hasApps: apps.length > 0, hasMembers }
}

function backupPlanOf({ backupEveryHours, backupKeep, backupFolder }: Config): BackupPlan | undefined {
  if (backupEveryHours === 0) return undefined
  return { everyMs: backupEveryHours * HOUR, keep: backupKeep, folder: backupFolder }
}

/** The one clock of the service: the database's. */
async function openClock(store: Store, { mode }: Config, log: Logger, cleanup: CleanupSteps) {
  const machineNow = () => new Date()
  const clock = new StoreClock(store, machineNow)
  await clock.measure()
  refuseClock(clock, { mode, machineNow: machineNow() })
  const stop = followClock(clock, { log, mode, machineNow })
  cleanup.add({ what: 'Stopping the clock', limitMs: stopLimitMs, run: async () => stop() })
  return { clock, now: clock.now }
}

function warnOfPlainHttp(listening: AddressInfo | string | null, config: Config, log: Logger): void {
  const address = typeof listening === 'object' && listening ? findPlainHttp(config, listening.address) : undefined
  if (address === undefined) return
  log.warn(
    { address },
    'HTTP without TLS is served on a public address: tokens and passwords can be read on the way. Set PEYK_TLS_CERT and PEYK_TLS_KEY, or PEYK_HOST to the address that your proxy calls',
  )
}
