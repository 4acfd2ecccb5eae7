import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { AppShares } from './app-shares.ts'
import { runInTransaction } from './connection-scope.ts'
import { type Listener, type ListenOptions, openListener } from './listener.ts'
import { isTransient, readStoreError } from './store-error.ts'

export interface Database {
  /** A name makes PostgreSQL keep the parsed statement: for statements that run all the time. */
  query<Row extends object>(statement: Sql, name?: string): Promise<Row[]>
}

export interface Transaction extends Database {
  /** For COPY, which needs the connection itself. */
  client: pg.PoolClient
}

export interface Store extends Database {
  /** How many connections there are at most. */
  poolSize: number
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Opens a connection that stays, for what is told by NOTIFY; closed with the store. */
  listen(options: ListenOptions): Listener
  /** Registered by whoever holds writes back; run before the pool closes. */
  onDrain(drain: () => Promise<void>): void
  drain(): Promise<void>
  close(): Promise<void>
}

export type StoreConnection = string | { host: string; port: number; user: string; password: string; database: string }

const numberTypes: Record<number, (text: string) => unknown> = { 20: Number, 1700: Number }
const types = {
  getTypeParser: (oid: number, format?: string) => numberTypes[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
}

const retriesOnConflict = 3
const patienceMs = 5_000
const waitingPerApp = 10_000

/** An app gets half of the pool. */
export function connectionsPerApp(poolSize: number): number {
  return Math.max(2, poolSize >> 1)
}

export function openStore(
  connection: StoreConnection,
  options: { poolSize: number; onLost?: (error: Error) => void },
): Store {
  const address = typeof connection === 'string' ? { connectionString: connection } : connection
  const pool = new pg.Pool({
    ...address,
    max: options.poolSize,
    types: types as pg.CustomTypesConfig,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 60_000,
    options: '-c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000 -c timezone=UTC',
    application_name: 'peyk',
  })
  pool.on('error', (error) => options.onLost?.(error))
  // A connection that is lost between being opened and being used has no other listener, and would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const drains: (() => Promise<void>)[] = []
  const listeners: Listener[] = []

  const shares = new AppShares({
    connections: connectionsPerApp(options.poolSize),
    waiting: waitingPerApp,
    patienceMs,
  })

  const query = <Row extends object>(statement: Sql, name?: string): Promise<Row[]> =>
    shares.use(() => repeatOnConflict(async () => (await pool.query<Row>(asQuery(statement, name))).rows))

  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    shares.use(() => repeatOnConflict(() => attemptTransaction(pool, work)))

  return {
    poolSize: options.poolSize,
    query,
    transaction,
    onDrain: (drain) => drains.push(drain),
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    listen: (given) => {
      const listener = openListener(address, given)
      listeners.push(listener)
      return listener
    },
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()))
      await pool.end()
    },
  }
}

/** PostgreSQL undid all of it, so it can be done again. */
async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || attempt === retriesOnConflict) throw readStoreError(error)
    }
  }
}

function asQuery(statement: Sql, name: string | undefined): pg.QueryConfig {
  return { text: statement.text, values: statement.values, ...(name !== undefined && { name }) }
}

async function attemptTransaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query('begin')
    const tx: Transaction = {
      client,
      query: async <Row extends object>(statement: Sql, name?: string) =>
        (await client.query<Row>(asQuery(statement, name))).rows,
    }
    const result = await runInTransaction(() => work(tx))
    // Of a transaction in which a statement failed and nobody said so, PostgreSQL makes a rollback.
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}
