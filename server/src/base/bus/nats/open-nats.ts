import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import sql from 'sql-template-tag'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { busOf } from '../bus.ts'
import type { NatsAddress } from './nats-address.ts'
import { NatsCarrier, usualAnswerMs } from './nats-carrier.ts'

const firstRetryMs = 100
const longestRetryMs = 4_000
const reconnectMs = 250

/** How every connection to NATS is made. The secrets of the address are nowhere else, and in no message of ours. */
export function natsOptions({ servers, user, pass, token, isTls }: NatsAddress): ConnectionOptions {
  return {
    servers,
    ...(user !== undefined && pass !== undefined && { user, pass }),
    ...(token !== undefined && { token }),
    ...(isTls && { tls: {} }),
    name: 'peyk',
    noEcho: true,
    timeout: 3_000,
    pingInterval: 4_000,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    ignoreAuthErrorAbort: true,
  }
}

/**
 * The processes on this database tell each other by NATS from now on, whenever it is there; it need not be. Answers how to
 * end that.
 *
 *   connect ──▶ connected ◀──▶ lost (the library connects again)
 *      ▲──wait, twice as long each time──┘ could not, or was closed
 */
export function openNats(
  store: Store,
  address: NatsAddress,
  log: Logger,
  answerMs = usualAnswerMs,
): () => Promise<void> {
  const stop = new AbortController()
  let carrier: NatsCarrier | undefined
  let connection: NatsConnection | undefined
  busOf(store).useNats((id, onTold) => {
    carrier = new NatsCarrier(id, onTold, answerMs)
    return carrier
  })

  const connectOnce = async (): Promise<void> => {
    const { connect } = await import('@nats-io/transport-node')
    const prefix = await readPrefix(store)
    connection = await connect(natsOptions(address))
    if (stop.signal.aborted) return connection.close()
    carrier?.use(connection, prefix)
    log.info({ server: connection.getServer() }, 'processes tell each other by NATS')
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        if (carrier?.isConnected && !stop.signal.aborted)
          log.warn('NATS is away: processes tell each other by PostgreSQL')
        carrier?.noteLost()
      } else if (type === 'reconnect') {
        carrier?.noteConnected()
        log.info({ server: connection.getServer() }, 'NATS is back')
      }
    }
    carrier?.noteLost()
  }

  const run = async (): Promise<void> => {
    for (let waitMs = firstRetryMs; !stop.signal.aborted; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      await connectOnce().catch(({ code, message }: Error & { code?: string }) => {
        if (waitMs === firstRetryMs) log.warn({ reason: code ?? message }, 'NATS cannot be reached yet')
      })
      await delay(waitMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return async () => {
    stop.abort()
    await connection?.close()
    await running
  }
}

/** Several databases may share the servers of NATS: each has names of its own. */
async function readPrefix(store: Store): Promise<string> {
  const [row] = await store.query<{ identity: string }>(
    sql`select system_identifier || '/' || current_database() as identity from pg_control_system()`,
    'read-database-identity',
  )
  const hash = createHash('sha256')
    .update(row?.identity as string)
    .digest('hex')
  return `peyk.${hash.slice(0, 16)}`
}
