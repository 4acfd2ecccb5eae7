import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { defaultDurations } from '@peyk/server/base/durations.ts'
import { RequestError } from '@peyk/server/base/errors.ts'
import { runOnceOutward } from '@peyk/server/base/idempotency/run-once-outward.ts'
import { takeBatches } from '@peyk/server/features/deliveries/dispatch/take-batches.ts'
import { nobody } from '@peyk/server/features/installations/connections/connections-store.ts'
import { findPresence } from '@peyk/server/features/installations/connections/find-presence.ts'
import { holdConnections } from '@peyk/server/features/installations/connections/hold-connections.ts'
import { StoreContact } from '@peyk/server/features/installations/connections/store-contact.ts'
import { notifyUsers } from '@peyk/server/features/messages/send/notify-users.ts'
import { sendToUsers } from '@peyk/server/features/messages/send/send-to-users.ts'
import { takeCalls } from '@peyk/server/features/webhooks/calls/calls-store.ts'
import { createCalls } from '@peyk/server/features/webhooks/calls/create-calls.ts'
import {
  addWebhook,
  emitUsers,
  localExternal,
  startReceiver,
  whileTelling,
} from '@peyk/server/features/webhooks/webhooks.test-support.ts'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import {
  clientIdOf,
  connectClient,
  connectRaw,
  createConnectionServerForTest,
  leaveMessage,
} from '../helpers/connection.ts'
import { createTestApp, createTestToken } from '../helpers/database/test-store.ts'
import { addDevices, createDelivery, type TestDevice } from '../helpers/delivery.ts'
import { createTestMember } from '../helpers/panel-caller.ts'
import { until } from '../helpers/runner/until.ts'

// Each duration as the product has it: other tests inject shorter ones.
const { store, providers, createApp, startDispatcher } = await createDelivery()
const service = await createConnectionServerForTest()

/** Timers and clocks do not agree to the millisecond. */
const clockToleranceMs = 100

async function timeUntil(isMet: () => boolean | Promise<boolean>, startedAtMs = performance.now()): Promise<number> {
  await until(isMet, (is) => is, 110_000)
  return performance.now() - startedAtMs + clockToleranceMs
}

const measures = {
  deliveryLease: measureDeliveryLease,
  acknowledgement: measureAcknowledgement,
  alive: measureAlive,
  return: measureReturn,
  connect: measureConnect,
  slowReader: measureSlowReader,
  webhookLease: measureWebhookLease,
  webhookRetry: measureWebhookRetry,
  heartbeat: measureHeartbeat,
  sweep: measureSweep,
  claim: measureClaim,
  transfer: measureTransfer,
}
type Measure = keyof typeof measures
const took = new Map<Measure, PromiseSettledResult<number>>()

// Only the longest of them is waited for.
beforeAll(async () => {
  const names = Object.keys(measures) as Measure[]
  const results = await Promise.allSettled(names.map((name) => measures[name]()))
  for (const [index, name] of names.entries()) took.set(name, results[index] as PromiseSettledResult<number>)
})

function msOf(name: Measure): number {
  const result = took.get(name)
  if (result?.status === 'fulfilled') return result.value
  throw result?.reason
}

it('the work of a killed process goes on after its lease of ten seconds', () => {
  expect(msOf('deliveryLease')).toBeGreaterThanOrEqual(10_000)
})

it('what a connected client does not acknowledge goes to the provider after five seconds', () => {
  expect(msOf('acknowledgement')).toBeGreaterThanOrEqual(5_000)
})

it('a process that says nothing counts as alive for fifteen seconds', () => {
  expect(msOf('alive')).toBeGreaterThanOrEqual(15_000)
})

it('what only a connection brings waits thirty seconds for a client that was connected until a moment ago', () => {
  expect(msOf('return')).toBeGreaterThanOrEqual(30_000)
})

it('a connection without CONNECT is closed after ten seconds', () => {
  expect(msOf('connect')).toBeGreaterThanOrEqual(10_000)
})

it('a client that reads nothing is closed after thirty seconds', () => {
  expect(msOf('slowReader')).toBeGreaterThanOrEqual(30_000)
})

it('the calls of a killed process to webhooks go on after its lease of twenty seconds', () => {
  expect(msOf('webhookLease')).toBeGreaterThanOrEqual(20_000)
})

it('a webhook that failed is called again after five seconds, give or take one', () => {
  expect(msOf('webhookRetry')).toBeGreaterThanOrEqual(4_000)
})

it('a live page hears from the service after five seconds, when there is nothing to tell', () => {
  expect(msOf('heartbeat')).toBeGreaterThanOrEqual(5_000)
})

it('a process looks every second for connections whose key was revoked without telling it', () => {
  expect(msOf('sweep')).toBeGreaterThanOrEqual(1_000)
})

it('the idempotency key of a killed request that called outwards is free after a minute', () => {
  expect(msOf('claim')).toBeGreaterThanOrEqual(60_000)
})

it('an upload that brings nothing more is cut off after ten seconds', () => {
  expect(msOf('transfer')).toBeGreaterThanOrEqual(10_000)
})

async function measureDeliveryLease(): Promise<number> {
  const ctx = await createApp()
  const [device] = (await addDevices(ctx, providers, 'fcm', 1, 'lease')) as [TestDevice]
  const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'Hello' })) as { id: string }
  const lease = { holder: randomUUID(), ms: defaultDurations.deliveryLeaseMs }
  const startedAtMs = performance.now()
  await takeBatches(store, { lane: 'personal', lease, blocked: [], perStream: 10, limit: 10 })
  startDispatcher()
  return timeUntil(() => providers.record.list({ messageId: id }).length === 1, startedAtMs)
}

async function measureAcknowledgement(): Promise<number> {
  const own = await createDelivery()
  const ctx = await own.createApp()
  const [device] = (await addDevices(ctx, own.providers, 'fcm', 1, 'silent')) as [TestDevice]
  const holder = randomUUID()
  await own.store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 hour')`)
  await own.store.query(sql`
    insert into connections (app_id, installation_no, holder, connection_id, is_open)
    values (${ctx.app.id}, ${device.installationNo}, ${holder}, ${randomUUID()}, true)`)
  own.startDispatcher()
  const startedAtMs = performance.now()
  const { id } = (await sendToUsers(ctx, { user: device.userId, content: 'Hello' })) as { id: string }
  return timeUntil(() => own.providers.record.list({ messageId: id }).length === 1, startedAtMs)
}

async function measureAlive(): Promise<number> {
  const ctx = await createApp()
  const [{ installationNo }] = (await addDevices(ctx, providers, 'fcm', 1, 'held')) as [TestDevice]
  const connection = { appId: ctx.app.id, installationNo, connectionId: randomUUID(), isOpen: true }
  const { aliveMs } = defaultDurations
  const startedAtMs = performance.now()
  await holdConnections(ctx, { holder: randomUUID(), aliveMs, listHeld: () => [connection] })
  expect((await findPresence(store, [connection])).size).toBe(1)
  // Another process, which gives up those that are dead.
  const other = {
    holder: randomUUID(),
    aliveMs,
    listHeld: () => [],
    storeContact: new StoreContact(aliveMs),
  }
  return timeUntil(async () => {
    await holdConnections(ctx, other)
    return (await findPresence(store, [connection])).size === 0
  }, startedAtMs)
}

async function measureReturn(): Promise<number> {
  const own = await createDelivery()
  const ctx = await own.createApp()
  const [{ installationNo, userId }] = (await addDevices(ctx, own.providers, 'fcm', 1, 'left')) as [TestDevice]
  await own.store.query(sql`update installation_details set device_token = null, device_token_hash = null`)
  const startedAtMs = performance.now()
  await own.store.query(sql`
    insert into connections (app_id, installation_no, holder, connection_id, left_at)
    values (${ctx.app.id}, ${installationNo}, ${nobody}, ${randomUUID()}, now())`)
  own.startDispatcher()
  const { id } = (await notifyUsers(ctx, { user: userId, content: 'Hello' })) as { id: string }
  return timeUntil(async () => {
    const ended = await own.store.query(sql`select from deliveries where message_id = ${id} and reason = 'no-provider'`)
    return ended.length === 1
  }, startedAtMs)
}

async function measureConnect(): Promise<number> {
  const startedAtMs = performance.now()
  const silent = await connectRaw(service.port)
  return timeUntil(() => silent.isClosed, startedAtMs)
}

/** Its inbox holds more than the system takes for a socket that nobody reads. */
async function measureSlowReader(): Promise<number> {
  const device = await service.register()
  for (let count = 0; count < 60; count++)
    await leaveMessage(service.ctx, device.id, { body: { content: 'x'.repeat(200_000) }, isNotified: false })
  const slow = await connectRaw(service.port)
  slow.socket.pause()
  const startedAtMs = performance.now()
  slow.send({
    cmd: 'connect',
    clientId: clientIdOf(service.ctx, device),
    clean: false,
    keepalive: 0,
    username: service.clientKey,
  })
  return timeUntil(async () => {
    const metrics = await fetch(`${service.baseUrl}/metrics`).then((answer) => answer.text())
    return metrics.includes('peyk_connection_closings_total{reason="slow-reader"} 1')
  }, startedAtMs)
}

async function measureWebhookLease(): Promise<number> {
  const ctx = await createTestApp(store, { external: localExternal })
  const { url, received } = await startReceiver()
  await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  await createCalls(store)
  const startedAtMs = performance.now()
  const killed = { holder: randomUUID(), leaseMs: defaultDurations.webhookLeaseMs }
  await takeCalls(store, { ...killed, inFlight: [], perWebhook: 8, room: 10 })
  let tookMs = 0
  const work = async () => {
    tookMs = await timeUntil(() => received.length === 1, startedAtMs)
  }
  await whileTelling(ctx, work, { durations: defaultDurations })
  return tookMs
}

async function measureWebhookRetry(): Promise<number> {
  const own = await createDelivery()
  const ctx = await createTestApp(own.store, { external: localExternal })
  const calledAtMs: number[] = []
  const { url } = await startReceiver((_call, response, calls) => {
    calledAtMs.push(performance.now())
    response.writeHead(calls.length === 1 ? 500 : 204).end()
  })
  await addWebhook(ctx, url)
  await emitUsers(ctx, 1)
  const work = async () => void (await timeUntil(() => calledAtMs.length === 2))
  await whileTelling(ctx, work, { durations: defaultDurations })
  const [first, second] = calledAtMs as [number, number]
  return second - first + clockToleranceMs
}

async function measureHeartbeat(): Promise<number> {
  const { key } = await createTestMember(service.ctx, 'analyst')
  const startedAtMs = performance.now()
  const url = `${service.baseUrl}/panel/api/apps/${service.ctx.app.label}/live?topics=alerts`
  const response = await fetch(url, { headers: { cookie: `peyk=${key}` } })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    if (!decoder.decode(bytes).includes('\n:\n') && !decoder.decode(bytes).startsWith(':\n')) continue
    return performance.now() - startedAtMs + clockToleranceMs
  }
  throw new Error('the stream has ended')
}

/** The longest of several times between two looks: each connection is closed by one, and the next look is then due. */
async function measureSweep(): Promise<number> {
  const times: number[] = []
  const connected: { key: string; client: { connected: boolean } }[] = []
  for (let count = 0; count < 4; count++) {
    const key = await createTestToken(service.ctx, ['client'])
    const clientId = clientIdOf(service.ctx, await service.register())
    connected.push({ key, client: await connectClient(service.tcpUrl, { clientId, key }) })
  }
  for (const { key, client } of connected) {
    const startedAtMs = performance.now()
    await service.store.query(sql`update access_tokens set revoked_at = now() where hash = sha256(${key}::bytea)`)
    times.push(await timeUntil(() => !client.connected, startedAtMs))
  }
  // The first was revoked at some moment between two looks.
  return Math.max(...times.slice(1))
}

async function measureClaim(): Promise<number> {
  const ctx = await createTestApp(store)
  const request = { route: 'POST /slow', key: 'of a killed process', bodyHash: Buffer.alloc(32) }
  const { claimMs } = defaultDurations
  const startedAtMs = performance.now()
  const isClaimed = Promise.withResolvers<void>()
  void runOnceOutward(
    ctx,
    request,
    () => {
      isClaimed.resolve()
      return new Promise(() => undefined)
    },
    { claimMs },
  )
  await isClaimed.promise
  const again = () => runOnceOutward(ctx, request, async () => 'done', { claimMs })
  return timeUntil(
    () =>
      again().then(
        () => true,
        (error) => {
          if (error instanceof RequestError && error.code === 'still-running') return false
          throw error
        },
      ),
    startedAtMs,
  )
}

async function measureTransfer(): Promise<number> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const startedAtMs = performance.now()
  socket.write(
    `POST /api/containers/updateGlobalPromoCodes HTTP/1.1\r\nHost: x\r\nX-Access-Token: ${service.token}\r\n` +
      'Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: 100000000\r\n\r\n' +
      '--cut\r\nContent-Disposition: form-data; name="file"; filename="codes.csv"\r\n\r\nA-1\nA-2\n',
  )
  const tookMs = await timeUntil(() => received.includes('request-timeout'), startedAtMs)
  socket.destroy()
  return tookMs
}
