import pg from 'pg'
import type { Address } from '../hosts/address.ts'
import { cutClient } from './end-client.ts'
import { LivenessCheck, type LivenessLimits } from './liveness-check.ts'

/** A connection of the pool, while somebody has it. */
export interface HeldConnection {
  query<Row extends object>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>>
  /** For COPY, which needs the client itself. */
  ownClient(): pg.PoolClient
  /** It is thrown away when it is released. */
  isBroken(): void
  release(): void
}

export interface WatchedPool {
  take(): Promise<HeldConnection>
  close(): Promise<void>
}

interface Watch {
  address: Address
  limits: LivenessLimits
  onLost(error: Error): void
}

/** A pool whose callers do not hang on a PostgreSQL that is silent. Connections that broke are thrown away. */
export function openWatchedPool(config: pg.PoolConfig, { address, limits, onLost }: Watch): WatchedPool {
  const clients = new Set<pg.ClientBase>()
  class Client extends address.Client {
    constructor(own: pg.ClientConfig) {
      super(own)
      clients.add(this)
      // One that is lost between being opened and being used has no other listener, and would end the process.
      this.on('error', () => undefined)
      this.on('end', () => clients.delete(this))
    }
  }
  const pool = new pg.Pool({ ...config, Client: Client as unknown as NonNullable<pg.PoolConfig['Client']> })
  pool.on('error', onLost)
  const liveness = new LivenessCheck(
    {
      address,
      cut: cutClient,
      cutAll: () => {
        for (const client of clients) cutClient(client)
      },
      onSilent: () => onLost(new Error('PostgreSQL does not answer')),
    },
    limits,
  )
  return {
    take: async () => holdConnection(await takeClient(pool, liveness), liveness),
    close: async () => {
      await liveness.close()
      await pool.end()
    },
  }
}

/** Whoever gave up waiting leaves the connection to the next one. */
async function takeClient(pool: pg.Pool, liveness: LivenessCheck): Promise<pg.PoolClient> {
  let hasGivenUp = false
  const connecting = () =>
    pool.connect().then((client) => {
      if (hasGivenUp) client.release()
      return client
    })
  try {
    return await liveness.watch(connecting)
  } catch (error) {
    hasGivenUp = true
    throw error
  }
}

function holdConnection(client: pg.PoolClient, liveness: LivenessCheck): HeldConnection {
  let broken: Error | undefined
  let endAttention: (() => void) | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  return {
    query: async (statement) => {
      try {
        return await liveness.watch(() => client.query(statement), client)
      } catch (error) {
        if (!isAnswer(error)) broken = error as Error
        throw error
      }
    },
    ownClient: () => {
      endAttention ??= liveness.attend()
      return client
    },
    isBroken: () => {
      broken ??= new Error('The connection is of no use any more.')
    },
    release: () => {
      endAttention?.()
      client.off('error', onError)
      client.release(broken)
    },
  }
}

const readOnlyCode = '25006'

/** What PostgreSQL itself refused leaves the connection as it was, unless it said goodbye with it or is no primary any more. */
function isAnswer(error: unknown): boolean {
  const { severity, code } = (error ?? {}) as { severity?: string; code?: string }
  if (code === readOnlyCode) return false
  return severity !== undefined && severity !== 'FATAL' && severity !== 'PANIC'
}
