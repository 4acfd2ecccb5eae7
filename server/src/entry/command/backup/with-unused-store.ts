import type { Config } from '#base/config.ts'
import { connectRunningPostgres } from '#base/store/embedded/embedded-postgres.ts'
import { checkExternalPostgres } from '#base/store/external-postgres.ts'
import { countOtherSessions } from '#base/store/other-sessions.ts'
import { openStore, type Store, type StoreConnection } from '#base/store/store.ts'
import { CommandError } from '../command.ts'
import { startUntilSignal } from '../with-store.ts'

/** For a restore: the database as it is, without making its tables, and only when no service uses it. */
export async function withUnusedStore<T>(
  { databaseUrl, dataFolder }: Config,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) {
    await checkExternalPostgres(databaseUrl)
    return use(databaseUrl, work)
  }
  if (await connectRunningPostgres(dataFolder)) throw new CommandError(`${dataFolder} is in use. ${stopIt}`)
  const postgres = await startUntilSignal(dataFolder)
  try {
    return await use(postgres.connection, work)
  } finally {
    await postgres.stop()
  }
}

const stopIt = 'Stop the service first, or restore to another data folder (PEYK_DATA) or database (PEYK_DATABASE_URL).'

async function use<T>(connection: StoreConnection, work: (store: Store) => Promise<T>): Promise<T> {
  // One connection, so that another process's can be told from our own.
  const store = openStore(connection, { poolSize: 1 })
  try {
    if ((await countOtherSessions(store)) > 0) throw new CommandError(`The database is in use. ${stopIt}`)
    return await work(store)
  } finally {
    await store.close()
  }
}
