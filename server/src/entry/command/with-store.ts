import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, loadConfig } from '#base/config.ts'
import { StoreClock } from '#base/store/clock/store-clock.ts'
import {
  connectRunningPostgres,
  DataFolderInUseError,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#base/store/embedded/embedded-postgres.ts'
import { checkExternalPostgres } from '#base/store/external-postgres.ts'
import { migrate } from '#base/store/migrate.ts'
import { countOtherSessions } from '#base/store/other-sessions.ts'
import { openStore, type Store, type StoreConnection } from '#base/store/store.ts'
import { isStoreAway } from '#base/store/store-error.ts'

export interface OpenStore {
  store: Store
  close(): Promise<void>
}

const patienceMs = 15_000
const pollMs = 50
// One connection, so that another process's can be told from our own.
const poolSize = 1

/** For the commands beside the service: on the database of the server that runs, else on the embedded one, started for it. */
export async function withStore<T>(work: (store: Store, now: () => Date) => Promise<T>): Promise<T> {
  const { store, close } = await openCommandStore(loadConfig(), migrate)
  try {
    const clock = new StoreClock(store, () => new Date())
    await clock.measure()
    return await work(store, clock.now)
  } finally {
    await close()
  }
}

type Prepare = (store: Store) => Promise<void>

/** `prepare` runs before anybody else is given the store; when it fails, nothing is left open. */
export async function openCommandStore(
  { databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  prepare: Prepare = async () => {},
): Promise<OpenStore> {
  if (databaseUrl === undefined) return openEmbedded(dataFolder, prepare)
  await checkExternalPostgres(databaseUrl)
  return openPrepared(databaseUrl, prepare)
}

async function openPrepared(connection: StoreConnection, prepare: Prepare): Promise<OpenStore> {
  const store = openStore(connection, { poolSize })
  try {
    await prepare(store)
    return { store, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openEmbedded(dataFolder: string, prepare: Prepare): Promise<OpenStore> {
  const givesUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      const running = await connectRunningPostgres(dataFolder)
      return running ? await openPrepared(running, prepare) : await openOwn(dataFolder, prepare)
    } catch (error) {
      // Another process is just starting or stopping it.
      const mayPass = error instanceof DataFolderInUseError || isStoreAway(error)
      if (!mayPass || performance.now() >= givesUpAt) throw error
      await sleep(pollMs)
    }
  }
}

async function openOwn(dataFolder: string, prepare: Prepare): Promise<OpenStore> {
  const postgres = await startUntilSignal(dataFolder)
  try {
    const { store } = await openPrepared(postgres.connection, prepare)
    const close = async () => {
      await letOthersFinish(store).catch(() => undefined)
      await store.close()
      await postgres.stop()
    }
    return { store, close }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

export async function startUntilSignal(dataFolder: string): Promise<EmbeddedPostgres> {
  const onLog = (level: string, message: string) => {
    if (level !== 'info') process.stderr.write(`peyk: ${message}\n`)
  }
  const starting = startEmbeddedPostgres({ dataFolder, onLog })
  const stopAndEnd = (signal: NodeJS.Signals) => {
    const end = () => process.kill(process.pid, signal)
    starting.then((postgres) => postgres.stop()).then(end, end)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAndEnd)
  return starting
}

/** Another command may have found the database that this one started. */
async function letOthersFinish(store: Store): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs && (await countOtherSessions(store)) > 0; waitedMs += pollMs)
    await sleep(pollMs)
}
