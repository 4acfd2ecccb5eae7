import { openNats } from '#base/bus/nats/open-nats.ts'
import type { Config } from '#base/config.ts'
import type { Logger } from '#base/log.ts'
import { startEmbeddedPostgres } from '#base/store/embedded/embedded-postgres.ts'
import { checkExternalPostgres } from '#base/store/external-postgres.ts'
import { openReader } from '#base/store/open-reader.ts'
import { openStore, type Store, type StoreConnection } from '#base/store/store.ts'

export interface OpenDatabase {
  connection: StoreConnection
  /** Connections that all processes may have together. Undefined: they are not counted. */
  connectionLimit: number | undefined
  /** Stops the embedded PostgreSQL; nothing for a server of somebody else's. */
  stopPostgres(): Promise<void>
}

/**
 * The service's database: the one that PEYK_DATABASE_URL names, or the embedded one, which is then ours to stop.
 * `connections` is how many of them the embedded one is to have at least.
 */
export async function openDatabase(
  { databaseUrl, dataFolder, segmentIndexMb }: Config,
  log: Logger,
  connections = 0,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    const connectionLimit = await checkExternalPostgres(databaseUrl)
    return { connection: databaseUrl, connectionLimit, stopPostgres: async () => {} }
  }
  const onLog = (level: 'info' | 'warn' | 'error', message: string) => log[level](message)
  // Where nobody will follow the log, it need not be one that can be followed.
  const settings = segmentIndexMb === 0 ? { wal_level: 'replica' } : {}
  const { connection, stop } = await startEmbeddedPostgres({ dataFolder, onLog, connections, settings })
  return { connection, connectionLimit: undefined, stopPostgres: stop }
}

/** The connections of this process to it. */
export function connectStore(
  connection: StoreConnection,
  {
    poolSize,
    databaseReadUrl: replica,
    nats,
  }: Pick<Config, 'poolSize'> & Partial<Pick<Config, 'databaseReadUrl' | 'nats'>>,
  log: Logger,
): { store: Store; closeStore(): Promise<void> } {
  let isClosing = false
  const onLost = ({ message }: Error) => {
    if (!isClosing) log.warn({ reason: message }, 'a connection to the database was lost')
  }
  const store = openStore(connection, { poolSize, onLost })
  const onChange = (isAsked: boolean) => {
    if (isAsked) log.info('the replica of PEYK_DATABASE_READ_URL has kept up, and is asked')
    else log.warn('the replica of PEYK_DATABASE_READ_URL is away or too far behind: the primary answers')
  }
  const reader = replica && openReader(store, openStore(replica, { poolSize, onLost, isReadOnly: true }), onChange)
  if (reader) store.reader = reader.store
  const closeNats = nats && openNats(store, nats, log)
  const closeStore = async () => {
    isClosing = true
    await closeNats?.()
    if (reader) await reader.close()
    await store.close()
  }
  return { store, closeStore }
}
