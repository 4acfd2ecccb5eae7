import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDatabaseFolder, pgdataOf } from '@peyk/server/base/store/embedded/database-home.ts'
import { startEmbeddedPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { readPostmasterFile } from '@peyk/server/base/store/embedded/postmaster-file.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import sql, { raw } from 'sql-template-tag'
import type { BenchOptions } from './options.ts'
import { stopAtEnd, stopLater } from './started.ts'
import { statementSettings } from './statements.ts'

/** One PostgreSQL as the product starts it, durable, on an empty folder or one that is kept. All benches of a run share it. */
export interface Cluster {
  pid: number
  version: string
  /** A database for one bench, which is dropped after it: an empty one, or a copy of a template. */
  createDatabase(name: string, template?: string): Promise<PostgresConnection>
  /** Databases in a folder that is kept are not copied: a bench works in what an earlier run has filled. */
  isKept: boolean
  /** What an earlier run has filled, in a folder that is kept. */
  findDatabase(name: string): Promise<PostgresConnection | undefined>
  renameDatabase(name: string, to: string): Promise<PostgresConnection>
  /** A database that is there until the end of the run, or longer, so that others can be copied from it. */
  createTemplate(name: string, from?: string): Promise<PostgresConnection>
}

let running: Promise<Cluster> | undefined

export function startCluster(options: Pick<BenchOptions, 'statements' | 'folder'>): Promise<Cluster> {
  running ??= start(options)
  return running
}

function start({ statements, folder }: Pick<BenchOptions, 'statements' | 'folder'>): Promise<Cluster> {
  return startOwnCluster(statements ? statementSettings : {}, folder)
}

/** One that no other bench uses, with settings of its own. */
export async function startOwnCluster(settings: Record<string, string>, folder?: string): Promise<Cluster> {
  const dataFolder = folder ?? (await makeTemporaryFolder(stopAtEnd))
  const onLog = (level: string, message: string) => level !== 'info' && console.error(message)
  const postgres = await startEmbeddedPostgres({ dataFolder, settings, onLog })
  stopAtEnd(postgres.stop)
  const admin = openStore(databaseUrl(postgres.bootstrap), { poolSize: 1, onLost: () => {} })
  stopAtEnd(admin.close)
  const postmaster = await readPostmasterFile(pgdataOf(await findDatabaseFolder(dataFolder)))
  const [server] = await admin.query<{ version: string }>(raw(`select current_setting('server_version') as version`))
  const create = async (name: string, template?: string) => {
    await admin.query(raw('set statement_timeout = 0'))
    if (folder) await admin.query(raw(`drop database if exists ${name}`))
    await admin.query(raw(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`))
    return { ...postgres.bootstrap, database: name }
  }
  return {
    pid: postmaster?.pid as number,
    version: server?.version ?? 'unknown',
    isKept: folder !== undefined,
    findDatabase: async (name) => {
      const found = await admin.query(sql`select from pg_database where datname = ${name}`)
      return found.length > 0 ? { ...postgres.bootstrap, database: name } : undefined
    },
    renameDatabase: async (name, to) => {
      await admin.query(raw(`alter database ${name} rename to ${to}`))
      return { ...postgres.bootstrap, database: to }
    },
    createDatabase: async (name, template) => {
      const connection = await create(name, template)
      stopLater(() => admin.query(raw(`drop database ${name} with (force)`)))
      return connection
    },
    createTemplate: create,
  }
}

export async function makeTemporaryFolder(whenToRemove = stopLater): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-bench-'))
  whenToRemove(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export function openDatabase(connection: PostgresConnection, poolSize: number): Store {
  const store = openStore(databaseUrl(connection), { poolSize, onLost: () => {} })
  stopLater(store.close)
  return store
}

/** Opened for this work alone: a database can be copied when nobody is connected to it. */
export async function withDatabase<Result>(
  connection: PostgresConnection,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openStore(databaseUrl(connection), { poolSize: 1, onLost: () => {} })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export function databaseUrl({ host, port, user, password, database }: PostgresConnection): string {
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
