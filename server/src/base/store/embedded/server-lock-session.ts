import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { openClient, type PostgresConnection } from './postgres-connection.ts'

// "peykpeyk" read as a number; migrations and jobs use others.
const SERVER_LOCK_KEY = '8098991042533485931'
const RETRY_MS = 100

export async function tryServerLock(client: Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1::bigint) as taken', [SERVER_LOCK_KEY])
  return rows[0].taken === true
}

export interface ServerLockSession {
  release(): Promise<void>
}

/** Undefined when another session holds it; taken again whenever the session is lost. */
export async function holdServerLock(connection: PostgresConnection): Promise<ServerLockSession | undefined> {
  const released = new AbortController()
  let client: Client | undefined

  async function take(): Promise<boolean> {
    const candidate = await openClient(connection)
    let isTaken = false
    try {
      isTaken = (await tryServerLock(candidate)) && !released.signal.aborted
    } finally {
      if (!isTaken) await candidate.end().catch(() => undefined)
    }
    if (!isTaken) return false
    candidate.once('end', () => keepTrying(retake))
    client = candidate
    return true
  }

  async function retake(): Promise<void> {
    client = undefined
    if (!(await take())) throw new Error('the lock is still held by the session that was lost')
  }

  /** The database may be away for a moment at any time: it is being started again then. */
  async function keepTrying<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    while (!released.signal.aborted) {
      try {
        return await attempt()
      } catch {
        await sleep(RETRY_MS, undefined, { signal: released.signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  if (!(await keepTrying(take))) return undefined
  return {
    async release() {
      released.abort()
      await client?.end().catch(() => undefined)
    },
  }
}
