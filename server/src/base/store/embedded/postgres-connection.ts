import { Client } from 'pg'
import { hasCode } from './embedded-postgres-error.ts'
import { SUPERUSER } from './initialise-cluster.ts'
import { SOCKET_PORT } from './socket-folder.ts'

export interface PostgresConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

const DATABASE = 'peyk'
const UNKNOWN_DATABASE = '3D000'
const DUPLICATE_DATABASE = '42P04'
const ANSWER_TIMEOUT_MS = 5000

export function connectionTo(socketFolder: string, password: string): PostgresConnection {
  return { host: socketFolder, port: SOCKET_PORT, user: SUPERUSER, password, database: DATABASE }
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

/** Throws as long as it does not answer. A crash may have come between initdb and the making of our database. */
export async function checkAnswers(connection: PostgresConnection): Promise<void> {
  try {
    await (await openClient(connection)).end()
  } catch (error) {
    if (!hasCode(error, UNKNOWN_DATABASE)) throw error
    const client = await openClient({ ...connection, database: 'postgres' })
    try {
      await client.query(`create database ${DATABASE}`)
    } catch (failure) {
      if (!hasCode(failure, DUPLICATE_DATABASE)) throw failure
    } finally {
      await client.end()
    }
  }
}
