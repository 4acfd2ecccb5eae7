import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { RequestError } from '../errors.ts'
import { openAddress } from './hosts/address.ts'
import { keepPlan } from './keep-plan.ts'
import { type Listener, type ListenOptions, openListener } from './listener.ts'
import { LockKeeper } from './lock-keeper.ts'
import { AppShares } from './pool/app-shares.ts'
import { recordAsking, runInTransaction } from './pool/connection-scope.ts'
import { defaultLivenessLimits, type LivenessLimits } from './pool/liveness-check.ts'
import { openWatchedPool, type WatchedPool } from './pool/watched-pool.ts'
import { isTransient, readStoreError } from './store-error.ts'

export interface Database {
  /** A name makes PostgreSQL keep the statement and a plan for any values: for statements that run all the time. */
  query<Row extends object>(statement: Sql, name?: string): Promise<Row[]>
}

export interface Transaction extends Database {
  /** For COPY, which needs the connection itself. */
  client: pg.PoolClient
  /** Runs when it is committed, and not when it is undone; must not throw. */
  afterCommit(work: () => void): void
}

export interface Store extends Database {
  /** For questions whose answer may be some seconds old; only where there is a replica. */
  reader?: Store
  /** When PostgreSQL last refused a write because its disk was full, in `performance.now()` time. */
  readonly fullDisk?: { seenAtMs: number | undefined }
  /** How many connections there are at most. */
  poolSize: number
  /** For what needs a connection of its own kind: where PostgreSQL is at this moment. */
  findAddress(): Promise<pg.ClientConfig>
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** For a statement that may not be in a transaction and may take hours, such as one that makes an index. */
  maintain(statement: Sql): Promise<void>
  /** Opens a connection that stays, for what is told by NOTIFY; closed with the store. */
  listen(options: ListenOptions): Listener
  /** A lock that needs no connection of the pool while it is held. Undefined when somebody has it. */
  takeLock(lockClass: number, name: string): Promise<(() => Promise<void>) | undefined>
  /** Registered by whoever holds writes back; run before the pool closes. */
  onDrain(drain: () => Promise<void>): void
  drain(): Promise<void>
  close(): Promise<void>
}

export type StoreConnection = string | { host: string; port: number; user: string; password: string; database: string }

const numberTypes: Record<number, (text: string) => unknown> = { 20: readBigint, 1700: Number }

/** One that a number of JavaScript cannot be would become another. */
function readBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number: read it as text.`)
  return value
}
const types = {
  getTypeParser: (oid: number, format?: string) => numberTypes[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
}

/** A host that was lost is noticed from either side: by us, and by PostgreSQL, which then drops our locks. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
const serverKeepAlive = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/** A process that stands still within a transaction keeps its locks, its leased batches among them, for so long. */
const longestPauseMs = 20_000
const retriesOnConflict = 3
const usualPatienceMs = 5_000
const waitingPerApp = 10_000

/** An app gets half of the pool. */
export function connectionsPerApp(poolSize: number): number {
  return Math.max(2, poolSize >> 1)
}

export function openStore(
  connection: StoreConnection,
  options: {
    poolSize: number
    onLost?: (error: Error) => void
    liveness?: LivenessLimits
    /** How long somebody waits for a connection before they are told to try again. */
    patienceMs?: number
    isReadOnly?: boolean
  },
): Store {
  const { patienceMs = usualPatienceMs } = options
  const address = openAddress(connection)
  const pool = openWatchedPool(
    {
      ...address.config,
      max: options.poolSize,
      types: types as pg.CustomTypesConfig,
      connectionTimeoutMillis: patienceMs,
      idleTimeoutMillis: 60_000,
      ...keepAlive,
      options: `-c statement_timeout=60000 -c idle_in_transaction_session_timeout=${longestPauseMs} -c timezone=UTC ${serverKeepAlive}${options.isReadOnly ? ' -c default_transaction_read_only=on' : ''}`,
      application_name: 'peyk',
    },
    { onLost: (error) => options.onLost?.(error), limits: options.liveness ?? defaultLivenessLimits, address },
  )
  const locks = new LockKeeper(address)
  const drains: (() => Promise<void>)[] = []
  const listeners: Listener[] = []

  const shares = new AppShares({
    connections: connectionsPerApp(options.poolSize),
    waiting: waitingPerApp,
    patienceMs,
  })

  const fullDisk: { seenAtMs: number | undefined } = { seenAtMs: undefined }
  const onFull = () => {
    fullDisk.seenAtMs = performance.now()
  }

  const query = <Row extends object>(statement: Sql, name?: string): Promise<Row[]> => {
    recordAsking()
    return shares.use(() => repeatOnConflict(() => attemptStatement<Row>(pool, asQuery(statement, name)), onFull))
  }

  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const askedAt = recordAsking()
    return shares.use(() => repeatOnConflict(() => attemptTransaction(pool, work, askedAt), onFull))
  }

  return {
    fullDisk,
    poolSize: options.poolSize,
    findAddress: address.find,
    query,
    transaction,
    maintain: (statement) => runForHours(pool, statement),
    onDrain: (drain) => drains.push(drain),
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    takeLock: (lockClass, name) => locks.take(lockClass, name),
    listen: (given) => {
      const listener = openListener(address, given)
      listeners.push(listener)
      return listener
    },
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()))
      await locks.close()
      await pool.close()
      address.close()
    },
  }
}

/** PostgreSQL undid all of it, so it can be done again. */
async function repeatOnConflict<T>(work: () => Promise<T>, onFull: () => void): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (isTransient(error) && attempt < retriesOnConflict) continue
      const known = readStoreError(error)
      if (known instanceof RequestError && known.code === 'store-full') onFull()
      throw known
    }
  }
}

/** By name: what was written, and what is sent. */
const named = new Map<string, { text: string; sent: string }>()

function asQuery(statement: Sql, name: string | undefined): pg.QueryConfig {
  const { text, values } = statement
  if (name === undefined) return { text, values }
  let known = named.get(name)
  if (known?.text !== text) {
    known = { text, sent: keepPlan(text) }
    named.set(name, known)
  }
  return { name, text: known.sent, values }
}

async function attemptStatement<Row extends object>(pool: WatchedPool, statement: pg.QueryConfig): Promise<Row[]> {
  const held = await pool.take()
  try {
    return (await held.query<Row>(statement)).rows
  } finally {
    held.release()
  }
}

async function runForHours(pool: WatchedPool, { text }: Sql): Promise<void> {
  const held = await pool.take()
  try {
    await held.query({ text: 'set statement_timeout = 0' })
    await held.query({ text })
  } catch (error) {
    throw readStoreError(error)
  } finally {
    await held.query({ text: 'reset statement_timeout' }).catch(() => held.isBroken())
    held.release()
  }
}

async function attemptTransaction<T>(
  pool: WatchedPool,
  work: (tx: Transaction) => Promise<T>,
  askedAt: Error | undefined,
): Promise<T> {
  const held = await pool.take()
  try {
    await held.query({ text: 'begin' })
    let works: (() => void)[] | undefined
    const tx: Transaction = {
      get client() {
        return held.ownClient()
      },
      query: async <Row extends object>(statement: Sql, name?: string) =>
        (await held.query<Row>(asQuery(statement, name))).rows,
      afterCommit: (added) => {
        works ??= []
        works.push(added)
      },
    }
    const result = await runInTransaction(() => work(tx), askedAt)
    // Of a transaction in which a statement failed and nobody said so, PostgreSQL makes a rollback.
    const { command } = await held.query({ text: 'commit' })
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.')
    for (const each of works ?? []) each()
    return result
  } catch (error) {
    await held.query({ text: 'rollback' }).catch(() => held.isBroken())
    throw error
  } finally {
    held.release()
  }
}
