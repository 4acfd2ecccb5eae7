import type { Config } from '#base/config.ts'
import { hasPart } from '#entry/roles.ts'
import { baseUrlAt, httpUrlAt, mqttUrlAt } from '../listen.ts'
import { connectStore, openDatabase } from '../open-database.ts'
import { type PreparedStart, prepareStart } from '../prepare.ts'
import { openLog, runUntilEnd } from '../run-until-end.ts'
import { postgresStopLimitMs, type RunningService, type Start } from '../running.ts'
import { phoneServiceOf, warnOfPlainHttp } from '../start-up.ts'
import { plannedStop } from '../watch-for-end.ts'
import { ProcessGroup } from './process-group.ts'
import { reservePorts } from './reserve-ports.ts'
import { connectionsOf, shareConnections } from './share-connections.ts'

const SECOND = 1_000
/** A process stops its parts one after the other, each within its limit. */
const processStopLimitMs = 60 * SECOND
/** To prepare the database, before there are processes. */
const ownPoolSize = 3

/** Runs the processes, and PostgreSQL where it is the embedded one, until it is told to end; answers the exit code. */
export async function serveSeveral(config: Config): Promise<number> {
  const opened = openLog(config)
  const processes = new ProcessGroup(config.processes, opened.log)
  const begin = (start: Start) => startSeveral(start, processes)
  return runUntilEnd(config, begin, opened, () => processes.endAtOnce())
}

async function startSeveral(start: Start, processes: ProcessGroup): Promise<RunningService> {
  const { config, log, cleanup, signal } = start
  const where = config.databaseUrl === undefined ? ` with the database in ${config.dataFolder}` : ''
  log.info(`starting ${config.processes} processes${where}`)
  const wanted = shareConnections(config)
  const { connection, connectionLimit, stopPostgres } = await openDatabase(config, log, connectionsOf(wanted))
  cleanup.add({ what: 'Stopping PostgreSQL', limitMs: postgresStopLimitMs, run: stopPostgres })
  const shares = shareConnections(config, connectionLimit)
  if (connectionsOf(shares) < connectionsOf(wanted)) {
    const needed = connectionsOf(wanted)
    log.warn(
      { connectionLimit, needed, ...shares },
      'PostgreSQL allows fewer connections than all processes would have',
    )
    processes.keepOnly(shares.processes)
  }
  const { address, ...ports } = await reservePorts(config)
  signal.throwIfAborted()
  const prepared = await prepare(start, connectStore(connection, { poolSize: ownPoolSize }, log))
  const { demo, simulator, hasApps, hasMembers } = prepared
  await prepared.keepDemoFile({ ...config, ...ports })
  signal.throwIfAborted()
  cleanup.add({
    what: 'Ending the processes',
    limitMs: config.durations.drainMs + processStopLimitMs,
    run: () => processes.end({ isPlanned: signal.reason === plannedStop }),
  })
  const { poolSizeOfEach: poolSize } = shares
  await processes.begin({ connection, poolSize, ...ports, demo, endpoints: simulator?.endpoints })
  warnOfPlainHttp(address, config, log)
  const baseUrl = httpUrlAt(baseUrlAt(config.host, ports.port), config)
  const hasMqtt = hasPart(config.roles, 'live-connections')
  const mqttUrl = hasMqtt ? mqttUrlAt(baseUrlAt(config.host, ports.mqttPort), config) : undefined
  if (demo && mqttUrl) await simulator?.useService(phoneServiceOf({ baseUrl, mqttUrl, demo }, config))
  return { roles: config.roles, baseUrl, mqttUrl, demo, hasApps, hasMembers }
}

/** Only for so long does the primary itself ask the database anything. */
async function prepare(start: Start, { store, closeStore }: ReturnType<typeof connectStore>): Promise<PreparedStart> {
  try {
    const prepared = await prepareStart(start, store)
    await prepared.clock.stop()
    return prepared
  } finally {
    await closeStore()
  }
}
