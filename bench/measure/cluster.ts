import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw } from 'sql-template-tag'
import { findDatabaseFolder, pgdataOf } from '../../server/src/base/store/embedded/database-home.ts'
import { startEmbeddedPostgres } from '../../server/src/base/store/embedded/embedded-postgres.ts'
import type { PostgresConnection } from '../../server/src/base/store/embedded/postgres-connection.ts'
import { readPostmasterFile } from '../../server/src/base/store/embedded/postmaster-file.ts'
import { openStore, type Store } from '../../server/src/base/store/store.ts'
import type { BenchOptions } from './options.ts'
import { stopLater } from './started.ts'
import { statementSettings } from './statements.ts'

/** One PostgreSQL as the product starts it, durable, on an empty folder; everything measured together shares it. */
export interface Cluster {
  pid: number
  version: string
  createDatabase(name: string): Promise<PostgresConnection>
}

export async function startCluster({ statements = false }: Partial<BenchOptions> = {}): Promise<Cluster> {
  const dataFolder = await makeTemporaryFolder()
  const onLog = (level: string, message: string) => level !== 'info' && console.error(message)
  const postgres = await startEmbeddedPostgres({ dataFolder, settings: statements ? statementSettings : {}, onLog })
  stopLater(postgres.stop)
  const admin = openDatabase(postgres.bootstrap, 1)
  const postmaster = await readPostmasterFile(pgdataOf(await findDatabaseFolder(dataFolder)))
  const [server] = await admin.query<{ version: string }>(raw(`select current_setting('server_version') as version`))
  return {
    pid: postmaster?.pid as number,
    version: server?.version ?? 'unknown',
    createDatabase: async (name) => {
      await admin.query(raw(`create database ${name}`))
      return { ...postgres.bootstrap, database: name }
    },
  }
}

export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-bench-'))
  stopLater(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export function openDatabase(connection: PostgresConnection, poolSize: number): Store {
  const store = openStore(databaseUrl(connection), { poolSize, onLost: () => {} })
  stopLater(store.close)
  return store
}

export function databaseUrl({ host, port, user, password, database }: PostgresConnection): string {
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
