import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net'
import { loadConfig } from '@peyk/server/base/config.ts'
import type { Context } from '@peyk/server/base/context.ts'
import { nextId, timeOrderedId } from '@peyk/server/base/ids.ts'
import type { Store } from '@peyk/server/base/store/store.ts'
import { createConnectionServer } from '@peyk/server/entry/connection/server.ts'
import { createHttpServer } from '@peyk/server/entry/http/server.ts'
import { notifyInbox } from '@peyk/server/features/deliveries/inbox/inbox-notifier.ts'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import packets, { type Packet } from 'mqtt-packet'
import sql from 'sql-template-tag'
import { afterAll, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import {
  createTestApp,
  createTestStore,
  createTestToken,
  silentLog,
  testExternal,
  testPoolSize,
} from './database/test-store.ts'
import { type Device, registerDevice } from './devices.ts'
import { useTestNats } from './service/test-nats.ts'
import { caller } from './service/test-server.ts'

/**
 * One process of the service with its connection server, on a free port. Several may share a database, each by a store of its own:
 * two servers on one store would take each other's connections for leftovers.
 */
export async function openConnectionServer(
  store: Store,
  env: Record<string, string> = {},
  more: { mayDeliver?: () => boolean } = {},
) {
  const config = loadConfig({
    PEYK_PORT: '0',
    PEYK_LOG_LEVEL: 'silent',
    PEYK_MODE: 'production',
    PEYK_RATE_REGISTRATIONS: '1000000000',
    ...env,
  })
  const services = { config, store, log: silentLog, now: () => new Date(), external: testExternal }
  const closeNats = useTestNats(store)
  const http = await createHttpServer(services)
  const service = await createConnectionServer({ ...services, ...more, http: http.app.server, registry: http.registry })
  await service.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = await http.app.listen({ host: '127.0.0.1', port: 0 })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= service
      .close()
      .then(() => http.close())
      .then(closeNats)
    return closing
  }
  afterAll(close)
  // Not at the top of this module: files share it, and only the first of them would hear of it.
  afterAll(endClients)
  const { port } = service.server.address() as AddressInfo
  return { baseUrl, wsUrl: baseUrl.replace('http', 'ws'), port, tcpUrl: `mqtt://127.0.0.1:${port}`, close, http }
}

/** The service with its connection server, an app and its keys. */
export async function createConnectionServerForTest(env: Record<string, string> = {}) {
  const store = await createTestStore()
  const service = await openConnectionServer(store, env)
  const ctx = await createTestApp(store)
  const token = await createTestToken(ctx)
  const clientKey = await createTestToken(ctx, ['client'])
  const call = caller(service.baseUrl, token)
  const callAsClient = caller(service.baseUrl, clientKey)
  return {
    ...service,
    store,
    ctx,
    token,
    clientKey,
    call,
    callAsClient,
    register: (userId: string = `user-${randomUUID()}`) => registerDevice(callAsClient, { userId }),
  }
}

export function clientIdOf(ctx: Pick<Context, 'app'>, { userId, id }: Device): string {
  return `${ctx.app.label}/${userId}/${id}`
}

/** What the public client library received, and a way to wait for it. */
export interface TestClient extends MqttClient {
  received: { topic: string; body: Record<string, unknown>; dup: boolean; qos: number; packet: Packet }[]
}

const clients: MqttClient[] = []

/** For tests without a connection server of their own: see `openConnectionServer`. */
export async function endClients(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)))
}

/** Connects with the `mqtt` package and waits for the CONNACK. */
export async function connectClient(
  url: string,
  options: IClientOptions & { clientId: string; key: string },
): Promise<TestClient> {
  const { key, ...rest } = options
  const client = mqtt.connect(url, {
    username: key,
    password: key,
    clean: false,
    keepalive: 30,
    reconnectPeriod: 0,
    resubscribe: false,
    ...rest,
  }) as TestClient
  clients.push(client)
  client.received = []
  client.on('message', (topic, payload, packet) => {
    const text = payload.toString()
    const body = text.startsWith('{') ? JSON.parse(text) : { text }
    client.received.push({ topic, body, dup: packet.dup, qos: packet.qos, packet: packet as Packet })
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed before CONNACK')))
  })
  return client
}

/** A socket that speaks MQTT by hand. */
export class RawClient {
  readonly socket: Socket
  readonly packets: Packet[] = []
  isClosed = false
  /** The other side closed while more was on its way to it: its last words may be lost. */
  wasReset = false
  private readonly version: number

  constructor(socket: Socket, version = 4) {
    this.socket = socket
    this.version = version
    const parser = packets.parser({ protocolVersion: version as 4 | 5 })
    parser.on('packet', (packet) => this.packets.push(packet))
    socket.on('data', (bytes) => parser.parse(bytes))
    socket.on('error', () => {
      this.wasReset = true
    })
    socket.on('close', () => {
      this.isClosed = true
    })
    afterAll(() => void socket.destroy())
  }

  send(packet: Packet): void {
    this.socket.write(packets.generate(packet, { protocolVersion: this.version as 4 | 5 }))
  }

  find<Kind extends Packet['cmd']>(kind: Kind): Extract<Packet, { cmd: Kind }> | undefined {
    return this.packets.find((packet) => packet.cmd === kind) as Extract<Packet, { cmd: Kind }> | undefined
  }
}

export async function connectRaw(port: number, version = 4): Promise<RawClient> {
  const socket = connectSocket({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  return new RawClient(socket, version)
}

/** A message that waits for the installation, as the dispatcher leaves it. */
export async function leaveMessage(
  ctx: Context,
  installationId: string,
  options: {
    body?: Record<string, unknown>
    channel?: string
    ttlSeconds?: number
    at?: Date
    isNotified?: boolean
  } = {},
): Promise<string> {
  const {
    body = { content: 'hello' },
    channel = 'default',
    ttlSeconds = 600,
    at = new Date(),
    isNotified = true,
  } = options
  // What is left now is in the order in which it is left, also within a millisecond.
  const id = options.at ? timeOrderedId(at) : nextId(ctx.now, at)
  const [row] = await ctx.store.query<{ installation_no: number; user_id: string }>(sql`
    select i.installation_no, u.user_id from installations i join users u using (app_id, user_no)
    where i.app_id = ${ctx.app.id} and i.id = ${installationId}`)
  const { installation_no: installationNo, user_id: userId } = row as { installation_no: number; user_id: string }
  await ctx.store.query(sql`
    with message as (
      insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body)
      values (${ctx.app.id}, ${id}, ${at}, ${new Date(at.getTime() + ttlSeconds * 1000)}, 1, 'message', 'users', ${channel}, ${JSON.stringify(body)})
    ), named as (
      insert into message_users (app_id, message_id, user_id) values (${ctx.app.id}, ${id}, ${userId})
    )
    insert into deliveries (app_id, message_id, installation_no, state, provider, in_inbox)
    values (${ctx.app.id}, ${id}, ${installationNo}, 'queued', 'connection', true)`)
  if (isNotified) notifyInbox(ctx.store, [{ appId: ctx.app.id, installationNo }])
  return id
}

export async function readDelivery(ctx: Context, messageId: string) {
  const [row] = await ctx.store.query<{ state: string; reason: string | null; in_inbox: boolean }>(
    sql`select state, reason, in_inbox from deliveries where app_id = ${ctx.app.id} and message_id = ${messageId}`,
  )
  return row
}

/** Takes every connection that a test's store has to its database, until it is told to release them or the test ends. */
export async function holdPool(store: Store): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  onTestFinished(() => released.resolve())
  const begun = Array.from({ length: testPoolSize }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    store
      .transaction(async () => {
        resolve()
        await released.promise
      })
      .catch(reject)
    return promise
  })
  await Promise.all(begun)
  return released.resolve
}

/** What a WebSocket to this address is answered. */
export function upgradeStatus(url: string, origin: string, subprotocols: string[] = ['mqtt']): Promise<number> {
  const socket = new WebSocket(url, subprotocols, { origin })
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.close()
      resolve(101)
    })
    socket.once('unexpected-response', (_request, response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    socket.once('error', reject)
  })
}
