import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { randomToken } from '@peyk/server/base/ids.ts'
import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { migrate } from '@peyk/server/base/store/migrate.ts'
import { createPartitions } from '@peyk/server/base/store/partitions.ts'
import type { Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { databaseUrl, openDatabase } from '../measure/cluster.ts'
import { findFreePort, type RunningProcess, startProcess } from '../measure/process.ts'

export const peykCommand = join(import.meta.dirname, '..', '..', 'server', 'bin', 'peyk.js')

/** An app, and a token of its back end. */
export interface PeykApp {
  appId: number
  token: string
}

/** A database as the service has it, with one app. */
export interface PeykDatabase extends PeykApp {
  connection: PostgresConnection
  store: Store
}

export async function createPeykDatabase(connection: PostgresConnection): Promise<PeykDatabase> {
  const store = openDatabase(connection, 4)
  return { connection, store, ...(await createApp(store)) }
}

/** In an empty database. */
export async function createApp(store: Store): Promise<PeykApp> {
  await migrate(store)
  await createPartitions(store, new Date())
  const [app] = await store.query<{ app_id: number }>(
    sql`insert into apps (label, name) values ('bench', 'Bench') returning app_id`,
  )
  const appId = app?.app_id as number
  return { appId, token: await createToken(store, appId) }
}

/** Of a database that an earlier run has made. */
export async function findApp(store: Store): Promise<number> {
  await migrate(store)
  const [app] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = 'bench'`)
  return app?.app_id as number
}

export async function createToken(store: Store, appId: number): Promise<string> {
  const token = randomToken()
  const hash = createHash('sha256').update(token).digest()
  await store.query(sql`
    insert into access_tokens (app_id, token_id, hash, name, scopes)
    values (${appId}, ${randomUUID()}, ${hash}, 'bench', ${['server']})`)
  return token
}

/** The service itself, as it is started in production. */
export async function startPeyk(database: PeykDatabase, env: Record<string, string> = {}): Promise<RunningProcess> {
  const port = await findFreePort()
  return startProcess({
    name: 'Peyk',
    args: [peykCommand, 'start'],
    port,
    readyPath: '/ready',
    env: {
      PEYK_MODE: 'production',
      PEYK_RATE_REGISTRATIONS: '1000000000',
      PEYK_HOST: '127.0.0.1',
      PEYK_PORT: String(port),
      PEYK_MQTT_PORT: '0',
      PEYK_PROCESSES: '1',
      PEYK_DATABASE_URL: databaseUrl(database.connection),
      ...env,
    },
  })
}
