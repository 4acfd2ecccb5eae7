import type { Config } from '#base/config.ts'
import type { Logger } from '#base/log.ts'
import type { Demo } from './demo.ts'
import { findPlainHttp } from './find-plain-http.ts'
import { connectStore, openDatabase } from './open-database.ts'
import type { PhoneService } from './open-simulator.ts'
import { prepareStart } from './prepare.ts'
import { postgresStopLimitMs, type RunningService, type Start, stopLimitMs } from './running.ts'

/** All of the service in this process. */
export async function startUp(start: Start): Promise<RunningService> {
  const { config, log, cleanup, signal } = start
  log.info(config.databaseUrl === undefined ? `starting with the database in ${config.dataFolder}` : 'starting')
  // Reading the code takes about as long as PostgreSQL takes to start.
  const reading = import('./serve-here.ts')
  reading.catch(() => undefined)
  const { connection, stopPostgres } = await openDatabase(config, log)
  cleanup.add({ what: 'Stopping PostgreSQL', limitMs: postgresStopLimitMs, run: stopPostgres })
  const { store, closeStore } = connectStore(connection, config, log)
  cleanup.add({ what: 'Closing the connections to the database', limitMs: stopLimitMs, run: closeStore })
  signal.throwIfAborted()
  const prepared = await prepareStart(start, store)
  const { demo, simulator, hasApps, hasMembers } = prepared
  const { serveHere } = await reading
  // Who waits for the first answer finds the file of the demo there; with a port of chance it has to come after.
  if (config.port !== 0) await prepared.keepDemoFile(config)
  signal.throwIfAborted()
  const { baseUrl, mqttUrl, address } = await serveHere(start, { ...prepared, store })
  warnOfPlainHttp(address, config, log)
  if (config.port === 0) await prepared.keepDemoFile({ ...config, port: Number(new URL(baseUrl).port) })
  if (demo && mqttUrl) await simulator?.useService(phoneServiceOf({ baseUrl, mqttUrl, demo }, config))
  return { roles: config.roles, baseUrl, mqttUrl, demo, hasApps, hasMembers }
}

/** What the simulated phones and users are told. */
export function phoneServiceOf(
  { baseUrl, mqttUrl, demo }: { baseUrl: string; mqttUrl: string; demo: Demo },
  { crowdSize }: Config,
): PhoneService {
  const crowd = { ...(crowdSize !== undefined && { size: crowdSize }), devices: demo.devices }
  return { baseUrl, mqttUrl, clientKey: demo.clientKey, crowd }
}

export function warnOfPlainHttp(listening: string, config: Config, log: Logger): void {
  const address = findPlainHttp(config, listening)
  if (address === undefined) return
  log.warn(
    { address },
    'HTTP without TLS is served on a public address: tokens and passwords can be read on the way. Set PEYK_TLS_CERT and PEYK_TLS_KEY, or PEYK_HOST to the address that your proxy calls',
  )
}
