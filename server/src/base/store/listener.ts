import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type Address, newClient } from './hosts/address.ts'
import { cutClient, endClient } from './pool/end-client.ts'
import { rejectWhenSilent } from './pool/reject-when-silent.ts'

export interface ListenOptions {
  channel: string
  /** Held as long as the connection lives, so that others can ask PostgreSQL whether this process does. */
  lock: bigint
  onMessage: (text: string) => void
  /** How often it is asked whether the connection lives, and how long an answer may take; 4 and 3 seconds unless given. */
  ping?: { everyMs: number; answerMs: number }
}

export interface Listener {
  /** Whether it hears at this moment; it may have lost its connection. */
  isOpen(): boolean
  /** How many times it began to hear: what was said in between is lost. */
  sessions(): number
  close(): Promise<void>
}

const firstRetryMs = 100
const longestRetryMs = 4_000
const defaultPing = { everyMs: 4_000, answerMs: 3_000 }

/**
 * A connection of its own, because LISTEN and session locks end with the connection they were made on. Nothing comes
 * over it for long whiles, so it is asked regularly whether it lives.
 *
 *   connect ──▶ listening ──lost, or silent──▶ wait, twice as long each time ──▶ connect
 */
export function openListener(
  address: Address,
  { channel, lock, onMessage, ping = defaultPing }: ListenOptions,
): Listener {
  const stop = new AbortController()
  let client: pg.Client | undefined
  let isListening = false
  let sessions = 0

  const listenOnce = async (): Promise<void> => {
    const own = newClient(address, { application_name: 'peyk listens', keepAlive: true })
    client = own
    const lost = new Promise<void>((resolve) => {
      own.on('error', () => resolve())
      own.on('end', () => resolve())
    })
    own.on('notification', ({ payload }) => {
      if (payload !== undefined) onMessage(payload)
    })
    const answered = <T>(answer: Promise<T>) => rejectWhenSilent(answer, ping.answerMs)
    let pinging: NodeJS.Timeout | undefined
    try {
      await answered(own.connect())
      await answered(takeOver(own, lock))
      await answered(own.query(`listen ${own.escapeIdentifier(channel)}`))
      isListening = true
      sessions++
      let isAsking = false
      pinging = setInterval(() => {
        if (isAsking) return
        isAsking = true
        answered(own.query('select 1'))
          .catch(() => cutClient(own))
          .finally(() => {
            isAsking = false
          })
      }, ping.everyMs)
      await lost
    } finally {
      clearInterval(pinging)
      isListening = false
      await endClient(own)
    }
  }

  const run = async (): Promise<void> => {
    let waitMs = firstRetryMs
    while (!stop.signal.aborted) {
      const startedMs = performance.now()
      await listenOnce().catch(() => undefined)
      if (performance.now() - startedMs > longestRetryMs) waitMs = firstRetryMs
      await delay(waitMs, undefined, { signal: stop.signal }).catch(() => undefined)
      waitMs = Math.min(waitMs * 2, longestRetryMs)
    }
  }

  const running = run()
  return {
    isOpen: () => isListening,
    sessions: () => sessions,
    close: async () => {
      stop.abort()
      if (client) await endClient(client)
      await running
    },
  }
}

/** The lock is this process's own: who still has it is a connection of ours that was lost, which PostgreSQL does not know yet. */
async function takeOver(client: pg.Client, lock: bigint): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_taken: boolean }>('select pg_try_advisory_lock($1) as is_taken', [lock])
    if (rows[0]?.is_taken) return
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = $1 and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())`,
      [lock],
    )
    await delay(firstRetryMs)
  }
}
