import type { Config } from '../../../base/config.ts'
import type { Logger } from '../../../base/log.ts'
import { startEmbeddedPostgres } from '../../../base/store/embedded/embedded-postgres.ts'
import { checkExternalPostgres } from '../../../base/store/external-postgres.ts'
import { openReader } from '../../../base/store/open-reader.ts'
import { openStore, type Store, type StoreConnection } from '../../../base/store/store.ts'

export interface OpenDatabase {
  store: Store
  closeStore(): Promise<void>
  /** Stops the embedded PostgreSQL; nothing for a server of somebody else's. */
  stopPostgres(): Promise<void>
}

/** The service's database: the one that PEYK_DATABASE_URL names, or the embedded one, which is then ours to stop. */
export async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    await checkExternalPostgres(config.databaseUrl)
    return { ...open(config.databaseUrl, config, log), stopPostgres: async () => {} }
  }
  const onLog = (level: 'info' | 'warn' | 'error', message: string) => log[level](message)
  const postgres = await startEmbeddedPostgres({ dataFolder: config.dataFolder, onLog })
  return { ...open(postgres.connection, config, log), stopPostgres: postgres.stop }
}

function open(
  connection: StoreConnection,
  { poolSize, databaseReadUrl: replica }: Config,
  log: Logger,
): Pick<OpenDatabase, 'store' | 'closeStore'> {
  let isClosing = false
  const onLost = ({ message }: Error) => {
    if (!isClosing) log.warn({ reason: message }, 'a connection to the database was lost')
  }
  const store = openStore(connection, { poolSize, onLost })
  const reader = replica && openReader(store, openStore(replica, { poolSize, onLost, isReadOnly: true }))
  if (reader) store.reader = reader.store
  const closeStore = async () => {
    isClosing = true
    if (reader) await reader.close()
    await store.close()
  }
  return { store, closeStore }
}
