import { rmdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { findDatabaseFolder, makeDataFolder, pgdataOf, prepareDatabaseHome } from './database-home.ts'
import { DataFolderInUseError, EmbeddedPostgresError, oneLine } from './embedded-postgres-error.ts'
import { findPassword, initialiseCluster } from './initialise-cluster.ts'
import { refuseWhenServed, stopLeftoverPostgres } from './leftover-postgres.ts'
import { bootstrapConnectionTo, connectionTo, openClient, type PostgresConnection } from './postgres-connection.ts'
import { openPostgresLog } from './postgres-log.ts'
import { launchPostgres } from './postgres-process.ts'
import { buildPostgresArguments } from './postgres-settings.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { type Connections, isWithoutRole } from './prepare-role.ts'
import { makeBinariesReachable } from './reachable-binaries.ts'
import { findRunningServer, takeServerLockFile } from './server-lock-file.ts'
import { holdServerLock } from './server-lock-session.ts'
import { prepareSocketFolder } from './socket-folder.ts'
import { type OnLog, supervise } from './supervise.ts'

export { DataFolderInUseError, EmbeddedPostgresError }

export interface EmbeddedPostgres extends Connections {
  /** A fast shutdown: statements that still run are rolled back. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataFolder: string
  settings?: Record<string, string>
  /** How many the service needs; there are always some more. */
  connections?: number
  onLog: OnLog
}

const RUNNING_PATIENCE_MS = 10_000

type Undo = () => Promise<void>

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const undo: Undo[] = []
  try {
    const connections = await start(options, undo)
    let stopped: Promise<void> | undefined
    return {
      ...connections,
      stop() {
        stopped ??= undoAll(undo)
        return stopped
      },
    }
  } catch (error) {
    await undoAll(undo).catch(() => undefined)
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot start: ${oneLine(error)}`, { cause: error })
  }
}

async function undoAll(undo: Undo[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of undo.splice(0).reverse()) await step().catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function start(
  { dataFolder, settings = {}, connections = 0, onLog }: EmbeddedPostgresOptions,
  undo: Undo[],
): Promise<Connections> {
  const packaged = await findBinaries()
  const folder = await makeDataFolder(dataFolder)
  const lockFile = await takeServerLockFile(folder)
  undo.push(lockFile.release)

  const onInfo = (message: string) => onLog('info', message)
  const home = await prepareDatabaseHome(folder, onInfo)
  const binaries = home.user ? await makeBinariesReachable(packaged, home.user, onInfo) : packaged
  const password = await initialiseCluster(folder, home, binaries, settings.fsync !== 'off')
  await refuseWhenServed(folder, home.pgdata, password)

  const socketFolder = await prepareSocketFolder(home)
  undo.push(() => rmdir(socketFolder).catch(() => undefined))
  const log = await openPostgresLog(`${folder}/postgres.log`, home.user)
  undo.push(() => log.close())
  const connection = connectionTo(socketFolder, password)
  const bootstrap = bootstrapConnectionTo(socketFolder, password)
  const args = await buildPostgresArguments(home.pgdata, socketFolder, settings, connections)
  const supervision = await supervise(async (signal) => {
    await lockFile.confirm()
    await stopLeftoverPostgres(home.pgdata, (pid) => {
      onLog('warn', `Stopping the PostgreSQL (process ${pid}) that an earlier run left behind`)
    })
    return launchPostgres({ binaries, args, pgdata: home.pgdata, user: home.user, log, connection, bootstrap }, signal)
  }, onLog)
  undo.push(supervision.stop)

  const session = await holdServerLock(connection)
  if (!session) throw new DataFolderInUseError(folder)
  undo.push(session.release)
  return { connection, bootstrap }
}

/** The database of the server that runs on this data folder, for commands beside it. */
export async function connectRunningPostgres(dataFolder: string): Promise<PostgresConnection | undefined> {
  try {
    for (let waitedMs = 0; waitedMs < RUNNING_PATIENCE_MS; waitedMs += 50) {
      if ((await findRunningServer(dataFolder)) === undefined) return undefined
      const found = await findConnections(dataFolder)
      if (found && (await answers(found.connection))) return found.connection
      // A server of an earlier version is still used as the superuser.
      if (found && (await isWithoutRole(found.bootstrap))) return found.bootstrap
      await sleep(50)
    }
    return undefined
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(`The database of ${dataFolder} cannot be reached: ${oneLine(error)}`, {
      cause: error,
    })
  }
}

async function findConnections(dataFolder: string): Promise<Connections | undefined> {
  const password = await findPassword(dataFolder)
  const socketFolder = (await readPostmasterFile(pgdataOf(await findDatabaseFolder(dataFolder))))?.socketFolder
  if (!socketFolder || !password) return undefined
  return {
    connection: connectionTo(socketFolder, password),
    bootstrap: bootstrapConnectionTo(socketFolder, password),
  }
}

async function answers(connection: PostgresConnection): Promise<boolean> {
  const client = await openClient(connection).catch(() => undefined)
  await client?.end()
  return client !== undefined
}
