import { rm } from 'node:fs/promises'
import { startEmbeddedPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { migrate } from '@peyk/server/base/store/migrate.ts'
import { createPartitions } from '@peyk/server/base/store/partitions.ts'
import { openStore } from '@peyk/server/base/store/store.ts'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { makeGuardedFolder } from '../runner/guard.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
    templateName: string
  }
}

/** Nothing of it has to survive: it need not write twice, nor clean up. */
const clusterSettings = {
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '80MB',
  max_wal_size: '512MB',
  autovacuum: 'off',
}

/** One PostgreSQL for all test files, with a migrated template that each of them clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await openCluster()
  const templateName = `peyk_template_${process.pid}`
  await administer(cluster.url, `create database ${templateName}`)
  const store = openStore(databaseUrl(cluster.url, templateName), { poolSize: 2 })
  try {
    await migrate(store)
    // Few, so that each of hundreds of databases is quickly there; the rest goes to the default ones.
    await createPartitions(store, new Date(), { first: 0, last: 0 })
  } catch (error) {
    await cluster.stop()
    throw error
  } finally {
    await store.close()
  }
  project.provide('clusterUrl', cluster.url)
  project.provide('templateName', templateName)
  return async () => {
    await administer(cluster.url, `drop database if exists ${templateName} with (force)`)
    await cluster.stop()
  }
}

/** The one that PEYK_TEST_DATABASE_URL names, or one of our own. */
export async function openCluster(): Promise<{ url: string; stop(): Promise<void> }> {
  const external = process.env.PEYK_TEST_DATABASE_URL
  if (external) return { url: external, stop: async () => {} }
  const dataFolder = await makeGuardedFolder('peyk-test-')
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    settings: clusterSettings,
    onLog: (level, message) => level !== 'info' && console.error(message),
  })
  const { host, port, user, password, database } = postgres.bootstrap
  return {
    url: `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    stop: async () => {
      await postgres.stop()
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export function databaseUrl(clusterUrl: string, name: string): string {
  return clusterUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

export async function administer(clusterUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
