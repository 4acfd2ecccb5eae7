import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

export interface ListenOptions {
  channel: string
  /** Held as long as the connection lives, so that others can ask PostgreSQL whether this process does. */
  lock: bigint
  onMessage: (text: string) => void
}

export interface Listener {
  /** Whether it hears at this moment; it may have lost its connection. */
  isOpen(): boolean
  close(): Promise<void>
}

const firstRetryMs = 100
const longestRetryMs = 4_000

/**
 * A connection of its own, because LISTEN and session locks end with the connection they were made on.
 *
 *   connect ──▶ listening ──lost──▶ wait, twice as long each time ──▶ connect
 */
export function openListener(config: pg.ClientConfig, { channel, lock, onMessage }: ListenOptions): Listener {
  const stop = new AbortController()
  let client: pg.Client | undefined
  let isListening = false

  const listenOnce = async (): Promise<void> => {
    const own = new pg.Client({ ...config, application_name: 'peyk listens', keepAlive: true })
    client = own
    const lost = new Promise<void>((resolve) => {
      own.on('error', () => resolve())
      own.on('end', () => resolve())
    })
    own.on('notification', ({ payload }) => {
      if (payload !== undefined) onMessage(payload)
    })
    try {
      await own.connect()
      await own.query('select pg_advisory_lock($1)', [lock])
      await own.query(`listen ${own.escapeIdentifier(channel)}`)
      isListening = true
      await lost
    } finally {
      isListening = false
      await own.end().catch(() => undefined)
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
    close: async () => {
      stop.abort()
      await client?.end().catch(() => undefined)
      await running
    },
  }
}
