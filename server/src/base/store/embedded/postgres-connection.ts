import { Client } from 'pg'
import { SUPERUSER } from './initialise-cluster.ts'
import { SOCKET_PORT } from './socket-folder.ts'

export interface PostgresConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export const DATABASE = 'peyk'
/** What the service is to PostgreSQL: the owner of its database and tables, and nothing more. */
export const SERVICE_ROLE = 'peyk_service'
const ANSWER_TIMEOUT_MS = 5000

export function connectionTo(socketFolder: string, password: string): PostgresConnection {
  return { host: socketFolder, port: SOCKET_PORT, user: SERVICE_ROLE, password, database: DATABASE }
}

/** As the superuser that made the cluster: to make the service's role and database, and for nothing else. */
export function bootstrapConnectionTo(socketFolder: string, password: string): PostgresConnection {
  return { ...connectionTo(socketFolder, password), user: SUPERUSER }
}

export async function openClient(connection: PostgresConnection): Promise<Client> {
  const client = new Client({
    ...connection,
    application_name: 'peyk server',
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  })
  // Without a listener a lost connection would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}
