import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectClient, endClients, type TestClient } from '../helpers/connection.ts'
import { type Device, registerDevice } from '../helpers/devices.ts'
import { findBroken } from '../helpers/invariants.ts'
import { effort } from '../helpers/runner/effort.ts'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { until } from '../helpers/runner/until.ts'
import { copyPreparedFolder } from '../helpers/service/prepared-folder.ts'
import { type DemoFile, freePort, ServiceProcess } from '../helpers/service/service-process.ts'
import { caller } from '../helpers/service/test-server.ts'
import { findMissing, trackAlong } from './client-ledger.ts'
import { findLosses, startWriters } from './writers.ts'

/**
 * Two processes share a PostgreSQL. Clients are connected to both, back ends write to both, and both processes, one of
 * them and PostgreSQL are killed in turn. Everything that was acknowledged is noted, and looked for at the end.
 */

const clientCount = effort.isLong ? 200 : 20
const writersPerProcess = 4
const senderCount = 4
const usersPerMessage = 5
const { timeoutMs, longWaitMs } = effort

const dataFolder = await copyPreparedFolder('peyk-many-kills-')
const postgres = await startEmbeddedPostgres({ dataFolder, onLog: () => undefined })
const { host, user, password, database } = postgres.connection
const mqttPorts = [await freePort(), await freePort()]
const services = [await openService(), await openService()]
const settings = {
  PEYK_MODE: 'production',
  PEYK_RATE_REGISTRATIONS: '1000000000',
  PEYK_DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}`,
  PEYK_SECRET_KEY: randomBytes(32).toString('hex'),
  PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000, holdEveryMs: 1_000, aliveMs: 4_000 }),
}
let demo: DemoFile
let devices: Device[]
let clients: TestClient[]

async function openService(): Promise<ServiceProcess> {
  return new ServiceProcess(await makeGuardedFolder('peyk-many-kills-'), await freePort())
}

const start = (index: number) =>
  (services[index] as ServiceProcess).start({ ...settings, PEYK_MQTT_PORT: String(mqttPorts[index]) })

beforeAll(async () => {
  await start(0)
  await start(1)
  demo = await new ServiceProcess(dataFolder, 0).readDemo()
  const callAsClient = caller((services[0] as ServiceProcess).baseUrl, demo.clientKey)
  devices = []
  for (let index = 0; index < clientCount; index++)
    devices.push(await registerDevice(callAsClient, { userId: `kill-${index}` }))
  clients = await Promise.all(devices.map(connect))
}, timeoutMs)

afterAll(async () => {
  await endClients()
  await Promise.all(services.map((service) => service.remove()))
  await postgres.stop()
})

/** A client that loses its process tries both in turn. */
async function connect(device: Device, index: number): Promise<TestClient> {
  const ports = index % 2 === 0 ? mqttPorts : mqttPorts.toReversed()
  const client = await connectClient('mqtt://127.0.0.1', {
    servers: ports.map((port) => ({ host: '127.0.0.1', port })),
    clientId: `${demo.appId}/${device.userId}/${device.id}`,
    key: demo.clientKey,
    reconnectPeriod: 200,
  })
  client.on('error', () => undefined)
  return client
}

/** Sends to its own devices by both processes in turn, one message after the other, and notes which were accepted. */
function sendAlong(own: readonly number[]) {
  const calls = services.map(({ baseUrl }) => caller(baseUrl, demo.accessToken))
  const accepted: { id: string; to: number[] }[] = []
  let isStopped = false
  const running = (async () => {
    for (let count = 0; !isStopped; count++) {
      const place = count * usersPerMessage
      const to = Array.from({ length: usersPerMessage }, (_, next) => own[(place + next) % own.length] as number)
      const users = to.map((index) => devices[index]?.userId)
      const call = calls[count % calls.length] as (typeof calls)[number]
      const answer = await call('POST', '/api/push/toUsers', { users, content: `${count}` }).catch(() => undefined)
      if (answer?.status === 200) accepted.push({ id: answer.body.id, to })
      else await delay(100)
    }
  })()
  return {
    accepted,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

async function killPostgres(): Promise<void> {
  const owner = new ServiceProcess(dataFolder, 0)
  const killed = (await owner.findPostgres()) as number
  process.kill(killed, 'SIGKILL')
  await until(
    () => owner.findPostgres(),
    (pid) => pid !== undefined && pid !== killed,
  )
}

async function killProcesses(indexes: readonly number[]): Promise<void> {
  await Promise.all(indexes.map((index) => services[index]?.end('SIGKILL')))
  await Promise.all(indexes.map(start))
}

/** Both processes, one of them, PostgreSQL, the other one … */
const kills = [() => killProcesses([0, 1]), () => killProcesses([0]), killPostgres] as const
const killsOfOther = [kills[0], () => killProcesses([1]), killPostgres] as const

const inOrder = (ids: readonly string[], { received }: TestClient) => {
  const wanted = new Set(ids)
  return [...new Set(received.map(({ body }) => body.id as string))].filter((id) => wanted.has(id))
}

it(
  'loses nothing that was acknowledged, stores nothing twice and keeps the order through kill -9 of everything',
  async () => {
    const pauseMs = clientCount * 4
    const tracks = clients.map((client, index) =>
      trackAlong(client, devices[index] as Device, { appId: demo.appId, pauseMs }),
    )
    const writers = services.map(({ baseUrl }) => startWriters(baseUrl, demo.accessToken, writersPerProcess))
    const senders = Array.from({ length: senderCount }, (_, sender) =>
      sendAlong(devices.map((_, index) => index).filter((index) => index % senderCount === sender)),
    )
    const countTracked = () => tracks.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    const countWritten = () => writers.reduce((sum, { countAcknowledged }) => sum + countAcknowledged(), 0)
    const countAccepted = () => senders.reduce((sum, { accepted }) => sum + accepted.length, 0)
    const listSurprises = () => writers.flatMap(({ surprises }) => surprises)
    const begunAt = performance.now()
    let slowestReturnMs = 0
    let done = 0

    for (let round = 0; round < effort.killsOfEach; round++)
      for (const kill of round % 2 === 0 ? kills : killsOfOther) {
        const more = 50 * (1 + Math.random())
        const count = () => ({ tracked: countTracked(), written: countWritten(), accepted: countAccepted() })
        const before = count()
        await until(
          () => ({ ...count(), surprises: listSurprises() }),
          (now) =>
            now.surprises.length > 0 ||
            (now.tracked > before.tracked + more &&
              now.written > before.written + more &&
              now.accepted > before.accepted + more / 4),
        )
        expect(listSurprises()).toEqual([])
        const killedAt = performance.now()
        await kill()
        await until(
          () => clients.filter(({ connected }) => !connected).length,
          (away) => away === 0,
        )
        slowestReturnMs = Math.max(slowestReturnMs, performance.now() - killedAt)
        if (effort.isLong && ++done % 30 === 0) console.info(`${done} kills`)
      }
    await Promise.all([...tracks, ...writers, ...senders].map((one) => one.stop()))

    const sent = clients.map((_, index) =>
      senders.flatMap(({ accepted }) => accepted.filter(({ to }) => to.includes(index)).map(({ id }) => id)),
    )
    await until(
      () => clients.flatMap((client, index) => findMissing(sent[index] ?? [], client)),
      (lost) => lost.length === 0,
      longWaitMs,
    )
    expect(clients.map((client, index) => inOrder(sent[index] ?? [], client))).toEqual(sent)
    expect(listSurprises()).toEqual([])
    const written = writers.flatMap((one) => one.sent)
    expect(await findLosses(postgres.connection, written)).toEqual([])

    const store = openStore(postgres.connection, { poolSize: 2 })
    try {
      const acknowledged = tracks.flatMap((track) => track.acknowledged)
      await checkDeliveries(store, sent.flat())
      expect(await findUncounted(store, acknowledged)).toEqual([])
      expect(await findBroken(store)).toEqual([])
    } finally {
      await store.close()
    }
    const received = clients.reduce((sum, client) => sum + client.received.length, 0)
    const different = clients.reduce((sum, client) => sum + new Set(client.received.map(({ body }) => body.id)).size, 0)
    if (effort.isLong)
      console.info({
        kills: effort.killsOfEach * kills.length,
        seconds: Math.round((performance.now() - begunAt) / 1_000),
        clients: clientCount,
        tracked: countTracked(),
        written: countWritten(),
        messages: countAccepted(),
        received: different,
        receivedAgain: received - different,
        slowestReturnMs: Math.round(slowestReturnMs),
      })
  },
  timeoutMs,
)

async function checkDeliveries(store: Store, wanted: readonly string[]): Promise<void> {
  await until(
    () =>
      store.query<{ state: string; in_inbox: boolean; count: number }>(sql`
        select state, in_inbox, count(*) as count from deliveries
        where message_id = any (${[...new Set(wanted)]}::uuid[]) group by 1, 2`),
    (rows) =>
      rows.length === 1 && rows[0]?.state === 'delivered' && !rows[0].in_inbox && rows[0].count === wanted.length,
    longWaitMs,
  )
}

/** Events of clients that were acknowledged and are not there, or are there more than once. */
async function findUncounted(store: Store, acknowledged: readonly string[]): Promise<string[]> {
  const ids = await store.query<{ event_id: string }>(sql`select event_id from event_ids where event_id like 'kill-%'`)
  const [events] = await store.query<{ count: number }>(sql`select count(*) as count from events where name = 'step'`)
  const known = new Set(ids.map((row) => row.event_id))
  const missing = acknowledged.filter((id) => !known.has(id))
  return events?.count === known.size ? missing : [...missing, `${events?.count} events of ${known.size} ids`]
}
