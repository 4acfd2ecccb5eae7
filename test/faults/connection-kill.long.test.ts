import type { Context } from '@peyk/server/base/context.ts'
import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type StoreConnection } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectClient, endClients } from '../helpers/connection.ts'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { type Device, registerDevice } from '../helpers/devices.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { type DemoFile, freePort } from '../helpers/service/service-process.ts'
import { caller } from '../helpers/service/test-server.ts'
import { findMissing, trackAlong } from './client-ledger.ts'

const clientCount = effort.isLong ? 500 : 25
/** Else the clients' own events are all that the service does. */
const pauseMs = clientCount * 2
const sendersAtATime = 4
const usersPerMessage = 5
const { timeoutMs, longWaitMs } = effort
const service = await prepareService('peyk-connection-kill-')
const mqttPort = await freePort()
const settings = {
  PEYK_MODE: 'production',
  PEYK_RATE_REGISTRATIONS: '1000000000',
  PEYK_MQTT_PORT: String(mqttPort),
  PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000, holdEveryMs: 1_000, aliveMs: 4_000 }),
}
let demo: DemoFile

beforeAll(async () => {
  await service.start(settings)
  demo = await service.readDemo()
})

afterAll(endClients)

/** Sends to one device after the other, and notes which messages were accepted. Ends when the service does. */
function sendAlong(devices: readonly Device[]) {
  const call = caller(service.baseUrl, demo.accessToken)
  const accepted: { device: number; id: string }[] = []
  let next = 0
  const send = async () => {
    for (;;) {
      const to = Array.from({ length: usersPerMessage }, () => next++ % devices.length)
      const users = to.map((device) => devices[device]?.userId)
      const answer = await call('POST', '/api/push/toUsers', { users, content: `message ${next}` })
      if (answer.status !== 200) return
      accepted.push(...to.map((device) => ({ device, id: answer.body.id as string })))
    }
  }
  const running = Promise.all(Array.from({ length: sendersAtATime }, () => send().catch(() => undefined)))
  return { accepted, ended: () => running.then(() => accepted) }
}

async function withStore<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const connection = (await connectRunningPostgres(service.dataFolder)) as StoreConnection
  const store = openStore(connection, { poolSize: 2 })
  try {
    const [app] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = ${demo.appId}`)
    const identity = { id: app?.app_id as number, label: demo.appId }
    return await work({ app: identity, store, log: silentLog, now: () => new Date(), external: testExternal })
  } finally {
    await store.drain()
    await store.close()
  }
}

it(
  'kill -9 with clients connected and messages in flight loses nothing that was acknowledged',
  async () => {
    const callAsClient = caller(service.baseUrl, demo.clientKey)
    const devices = await Promise.all(
      Array.from({ length: clientCount }, (_, index) => registerDevice(callAsClient, { userId: `kill-${index}` })),
    )
    const clients = await Promise.all(
      devices.map((device) =>
        connectClient(`mqtt://127.0.0.1:${mqttPort}`, {
          clientId: `${demo.appId}/${device.userId}/${device.id}`,
          key: demo.clientKey,
          reconnectPeriod: 200,
        }),
      ),
    )
    for (const client of clients) client.on('error', () => undefined)
    const tracks = clients.map((client, index) =>
      trackAlong(client, devices[index] as Device, { appId: demo.appId, pauseMs }),
    )
    const sent = devices.map((): string[] => [])

    for (let round = 0; round < effort.kills; round++) {
      const sending = sendAlong(devices)
      await until(
        () => sending.accepted.length,
        (count) => count >= devices.length * (1 + Math.random()),
      )
      await service.end('SIGKILL')
      for (const { device, id } of await sending.ended()) sent[device]?.push(id)
      await service.start(settings)
      await until(
        () => clients.every(({ connected }) => connected),
        (are) => are,
      )
    }
    await Promise.all(tracks.map((track) => track.stop()))
    await until(
      () => clients.flatMap((client, index) => findMissing(sent[index] ?? [], client)),
      (lost) => lost.length === 0,
      longWaitMs,
    )

    await withStore(async ({ store, app }) => {
      const ids = [...new Set(sent.flat())]
      const count = sent.flat().length
      await until(
        () =>
          store.query<{ state: string; in_inbox: boolean; count: number }>(sql`
          select state, in_inbox, count(*) as count from deliveries
          where app_id = ${app.id} and message_id = any (${ids}::uuid[]) group by 1, 2`),
        (rows) => rows.length === 1 && rows[0]?.state === 'delivered' && !rows[0].in_inbox && rows[0].count === count,
        longWaitMs,
      )
      const stored = await store.query<{ event_id: string }>(sql`
      select event_id from event_ids where app_id = ${app.id} and event_id like 'kill-%'`)
      const known = new Set(stored.map((row) => row.event_id))
      expect(tracks.flatMap(({ acknowledged }) => acknowledged).filter((id) => !known.has(id))).toEqual([])
      const [events] = await store.query<{ count: number }>(sql`
      select count(*) as count from events where app_id = ${app.id} and name = 'step'`)
      expect(events?.count).toBe(known.size)
    })
  },
  timeoutMs,
)
