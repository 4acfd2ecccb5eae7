import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { recordPlaces } from '@peyk/test/row-types/record-rows.ts'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import pg from 'pg'
import { afterAll } from 'vitest'
import { startEmbeddedPostgres } from '#base/store/embedded/embedded-postgres.ts'
import { migrate } from '#base/store/migrate.ts'
import { openStore, type Store } from '#base/store/store.ts'
import { askIndexes } from './ask-index.ts'
import { type IndexLimits, SegmentIndexes } from './segment-indexes.ts'

export interface LogStore {
  store: Store
  dataFolder: string
  /** As the superuser. */
  administer(statement: string): Promise<void>
}

/** The tests' own PostgreSQL keeps no log that can be followed. This one does, and waits for no other tests. */
export async function createLogStore(more: Record<string, string> = {}): Promise<LogStore> {
  const folder = await makeGuardedFolder('peyk-log-')
  await chmod(folder, 0o755)
  const dataFolder = join(folder, 'data')
  const settings = { fsync: 'off', shared_buffers: '16MB', autovacuum: 'off', ...more }
  const postgres = await startEmbeddedPostgres({ dataFolder, settings, onLog() {} })
  const store = recordPlaces(openStore(postgres.connection, { poolSize: 4, onLost() {} }))
  afterAll(async () => {
    await store.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  await migrate(store)
  const administer = async (statement: string) => {
    const client = new pg.Client(postgres.bootstrap)
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  return { store, dataFolder, administer }
}

/** As a process has them, for apps of any size and without patience. Closed after the file. */
export function openTestIndexes(store: Store, limits: Partial<IndexLimits> = {}): SegmentIndexes {
  const indexes = new SegmentIndexes(store, silentLog, {
    ...{ fromInstallations: 1, firstRetryMs: 1, lookAgainMs: 1, tooLargeRetryMs: 1, waitMs: 60_000 },
    ...limits,
  })
  askIndexes(store, indexes)
  afterAll(() => indexes.close())
  return indexes
}
