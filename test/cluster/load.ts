import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { limitConcurrency } from '@peyk/server/base/concurrency/concurrency-limit.ts'
import { trackAlong } from '../faults/client-ledger.ts'
import { connectClient, type TestClient } from '../helpers/connection.ts'
import type { Device } from '../helpers/devices.ts'
import { until } from '../helpers/runner/until.ts'

interface Given {
  app: string
  token: string
  clientKey: string
  apis: readonly string[]
  mqttPorts: readonly number[]
  clientCount: number
  random: () => number
}

/** A message that was accepted. */
interface Sent {
  id: string
  /** Which clients it is for. */
  to: number[]
  startedAtMs: number
  acceptedAtMs: number
}

/** The end of a connection that the client had not asked for. */
interface Cut {
  atMs: number
  /** Of the process that held it. */
  port: number
}

/** A message that came to a client more than once. */
export interface Doubled {
  messageId: string
  installationId: string
  firstAtMs: number
  cuts: readonly Cut[]
}

const sendersAtOnce = 3
const trackers = 20
const requestMs = 5_000
const everybody = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }

/**
 * Clients that are connected to any of the connection processes, messages to them, and events from them and by HTTP. Whoever
 * is refused or gets no answer tries again with the same key, elsewhere, as a load balancer would have it. Everything that
 * was acknowledged is written down.
 */
export class Load {
  readonly sent: Sent[] = []
  readonly trackedByHttp: string[] = []
  /** How many clients there were, of each time that somebody counted them. */
  readonly counted: number[] = []
  readonly clients: TestClient[] = []
  /** Of each client: when it got each message. */
  readonly received: Map<string, number[]>[] = []
  private readonly given: Given
  private readonly devices: Device[] = []
  private readonly cuts: Cut[][] = []
  private tracks: ReturnType<typeof trackAlong>[] = []
  private running: Promise<unknown> = Promise.resolve()
  private isStopped = false
  private turns = 0

  constructor(given: Given) {
    this.given = given
  }

  get trackedByClients(): string[] {
    return this.tracks.flatMap(({ acknowledged }) => acknowledged)
  }

  async begin(): Promise<void> {
    const { app, clientKey, clientCount, mqttPorts } = this.given
    const inTurn = limitConcurrency({ atOnce: 20 })
    await Promise.all(
      Array.from({ length: clientCount }, (_, index) =>
        inTurn(async () => {
          const userId = `user-${index}`
          const body = { deviceType: 'android', isGuest: false, userId }
          const device = (await this.post('/api/installations', body, clientKey)) as unknown as Device
          this.devices[index] = { ...device, userId }
          const first = mqttPorts[index % mqttPorts.length] as number
          const servers = [first, ...mqttPorts.filter((port) => port !== first)].map((port) => ({
            ...{ host: '127.0.0.1', port, protocol: 'mqtt' as const },
          }))
          const client = await connectClient(`mqtt://127.0.0.1:${first}`, {
            ...{ clientId: `${app}/${userId}/${device.id}`, key: clientKey, servers, reconnectPeriod: 300 },
            keepalive: 5,
          })
          client.on('error', () => undefined)
          this.clients[index] = client
          this.cuts[index] = []
          let port = first
          client.on('connect', () => {
            port = client.options.port as number
          })
          client.on('offline', () => this.cuts[index]?.push({ atMs: performance.now(), port }))
          const times = new Map<string, number[]>()
          this.received[index] = times
          client.on('message', (_topic, payload) => {
            const { id } = JSON.parse(payload.toString()) as { id: string }
            times.set(id, [...(times.get(id) ?? []), performance.now()])
          })
        }),
      ),
    )
    this.tracks = this.clients
      .slice(0, trackers)
      .map((client, index) => trackAlong(client, this.devices[index] as Device, { appId: app, pauseMs: 500 }))
    this.running = Promise.all([
      ...Array.from({ length: sendersAtOnce }, () => this.repeat(() => this.send(), 60)),
      this.repeat(() => this.track(), 100),
      this.repeat(() => this.count(), 500),
    ])
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
    await Promise.all(this.tracks.map((track) => track.stop()))
  }

  /** Everybody is connected, and all that has been accepted by now is with its clients. */
  async settle(): Promise<void> {
    let waiting = [...this.sent]
    const look = () => {
      waiting = waiting.filter((message) => this.findMissing([message]).length > 0)
      return { away: this.clients.filter(({ connected }) => !connected).length, missing: waiting.length }
    }
    await until(look, ({ away, missing }) => away === 0 && missing === 0)
  }

  findMissing(sent: readonly Sent[] = this.sent): string[] {
    return sent.flatMap(({ id, to }) =>
      to.filter((client) => !this.received[client]?.has(id)).map((to) => `${id} ${to}`),
    )
  }

  /**
   * Of messages that were begun from then on, the one that took longest from the first try to send it to when a client had
   * it; `untilAcceptedMs` of that it took to be accepted.
   */
  slowestSince(atMs: number): { totalMs: number; untilAcceptedMs: number } {
    let slowest = { totalMs: 0, untilAcceptedMs: 0 }
    for (const { id, to, startedAtMs, acceptedAtMs } of this.sent) {
      if (startedAtMs < atMs) continue
      for (const client of to) {
        const totalMs = (this.received[client]?.get(id)?.[0] ?? 0) - startedAtMs
        if (totalMs > slowest.totalMs) slowest = { totalMs, untilAcceptedMs: acceptedAtMs - startedAtMs }
      }
    }
    return slowest
  }

  get doubled(): Doubled[] {
    return this.received.flatMap((times, index) =>
      [...times]
        .filter(([, all]) => all.length > 1)
        .map(([messageId, [firstAtMs]]) => ({
          ...{ messageId, installationId: this.devices[index]?.id as string },
          ...{ firstAtMs: firstAtMs as number, cuts: this.cuts[index] as Cut[] },
        })),
    )
  }

  private async repeat(work: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!this.isStopped) {
      await work()
      await delay(pauseMs)
    }
  }

  private async send(): Promise<void> {
    const { random, clientCount } = this.given
    const to = [...new Set(Array.from({ length: 3 }, () => Math.floor(random() * clientCount)))]
    const startedAtMs = performance.now()
    const users = to.map((client) => `user-${client}`)
    const { id } = await this.post('/api/push/toUsers', { users, content: 'Hello' }, this.given.token)
    this.sent.push({ id: id as string, to, startedAtMs, acceptedAtMs: performance.now() })
  }

  /** By whichever process has the index, or by SQL. */
  private async count(): Promise<void> {
    const { users } = await this.post('/api/segments/count', { segment: everybody }, this.given.token, {
      isKeyed: false,
    })
    this.counted.push(users as number)
  }

  private async track(): Promise<void> {
    const userId = `user-${Math.floor(this.given.random() * this.given.clientCount)}`
    const mark = randomUUID()
    await this.post('/api/installations/track', { userId, eventName: 'byHttp', eventData: { mark } }, this.given.token)
    this.trackedByHttp.push(mark)
  }

  /** Until it is answered with success. */
  private async post(
    path: string,
    body: unknown,
    token: string,
    { isKeyed = true } = {},
  ): Promise<Record<string, unknown>> {
    const headers = {
      ...{ 'x-access-token': token, 'content-type': 'application/json' },
      ...(isKeyed && { 'idempotency-key': randomUUID() }),
    }
    for (;;) {
      const api = this.given.apis[this.turns++ % this.given.apis.length]
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(requestMs) }
      const answer = await fetch(api + path, init).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer?.status === 200 && text !== undefined) return JSON.parse(text)
      if (answer && answer.status < 500 && ![409, 429].includes(answer.status)) throw new Error(`${path}: ${text}`)
      await delay(100)
    }
  }
}
