import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { startEmbeddedPostgres } from '../../base/store/embedded/embedded-postgres.ts'
import { checkExternalPostgres } from '../../base/store/external-postgres.ts'
import { openStore, type Store } from '../../base/store/store.ts'

export interface OpenDatabase {
  store: Store
  /** Stops the embedded PostgreSQL; nothing for a server of somebody else's. */
  stopPostgres(): Promise<void>
}

/** The service's database: the one that PEYK_DATABASE_URL names, or the embedded one, which is then ours to stop. */
export async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  const onLost = (error: Error) => log.warn({ err: error }, 'a connection to the database was lost')
  if (config.databaseUrl !== undefined) {
    await checkExternalPostgres(config.databaseUrl)
    return { store: openStore(config.databaseUrl, { poolSize: config.poolSize, onLost }), stopPostgres: async () => {} }
  }
  const postgres = await startEmbeddedPostgres({
    dataFolder: config.dataFolder,
    onLog: (level, message) => log[level](message),
  })
  return { store: openStore(postgres.connection, { poolSize: config.poolSize, onLost }), stopPostgres: postgres.stop }
}
