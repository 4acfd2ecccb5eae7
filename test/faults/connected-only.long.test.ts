import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type StoreConnection } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectClient, endClients, type TestClient } from '../helpers/connection.ts'
import { type Device, registerDevice } from '../helpers/devices.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { type DemoFile, freePort } from '../helpers/service/service-process.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The whole service is killed, ended and loses PostgreSQL while it notifies connected clients that no provider reaches. */

const clientCount = 20
const { timeoutMs } = effort
const service = await prepareService('peyk-connected-only-')
const mqttPort = await freePort()
const settings = {
  PEYK_MODE: 'production',
  PEYK_RATE_REGISTRATIONS: '1000000000',
  PEYK_MQTT_PORT: String(mqttPort),
  // A busy machine takes long to let clients in again after a start.
  PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 2_000, holdEveryMs: 500, aliveMs: 3_000, returnMs: 60_000 }),
}
let demo: DemoFile
let devices: Device[]
let clients: TestClient[]

beforeAll(async () => {
  await service.start(settings)
  demo = await service.readDemo()
  const callAsClient = caller(service.baseUrl, demo.clientKey)
  devices = await Promise.all(
    Array.from({ length: clientCount }, (_, index) => registerDevice(callAsClient, { userId: `phone-${index}` })),
  )
  clients = await Promise.all(
    devices.map((device) =>
      connectClient(`mqtt://127.0.0.1:${mqttPort}`, {
        clientId: `${demo.appId}/${device.userId}/${device.id}`,
        key: demo.clientKey,
        reconnectPeriod: 300,
      }),
    ),
  )
  for (const client of clients) client.on('error', () => undefined)
})

afterAll(endClients)

/** Notifies single users and all of them in turn until it is refused, and notes what was accepted for whom. */
function notifyAlong() {
  const call = caller(service.baseUrl, demo.accessToken)
  const accepted: { device: number | 'all'; id: string }[] = []
  let isStopped = false
  const running = (async () => {
    for (let next = 0; !isStopped; next++) {
      const device = next % 10 === 9 ? 'all' : next % clientCount
      const to = device === 'all' ? { target: { userId: { neq: '' } } } : { user: devices[device]?.userId }
      const answer = await call('POST', '/api/push/notifyUsers', { ...to, notification: { title: 'Hello' } })
      if (answer.status !== 200) return
      accepted.push({ device, id: answer.body.id })
    }
  })().catch(() => undefined)
  return {
    accepted,
    ended: async () => {
      isStopped = true
      await running
      return accepted
    },
  }
}

async function readEnds(ids: readonly string[]) {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 1 })
  try {
    return await store.query(sql`
      select reason, detail, count(*) as count from deliveries d join installations i using (app_id, installation_no)
      where message_id = any (${[...ids]}::uuid[]) and state = 'ended' and i.id = any (${devices.map(({ id }) => id)}::uuid[])
      group by 1, 2`)
  } finally {
    await store.close()
  }
}

async function disturb(times: number, act: () => Promise<void>): Promise<void> {
  const wanted = devices.map((): string[] => [])
  for (let round = 0; round < times; round++) {
    const sending = notifyAlong()
    await until(
      () => sending.accepted.length,
      (count) => count > 10 + round * 7,
    )
    await act()
    for (const { device, id } of await sending.ended())
      for (const [index, own] of wanted.entries()) if (device === 'all' || device === index) own.push(id)
    await until(
      () => clients.filter(({ connected }) => !connected).length,
      (away) => away === 0,
    )
  }
  const missing = () =>
    clients.map(({ received }, index) => {
      const known = new Set(received.map(({ body }) => body.id))
      return wanted[index]?.filter((id) => !known.has(id)).length
    })
  const ids = wanted.flat()
  await until(
    async () => ({ missing: missing(), ends: await readEnds(ids) }),
    (seen) => seen.ends.length > 0 || seen.missing.every((count) => count === 0),
  )
  expect(await readEnds(ids)).toEqual([])
}

it(
  'kill -9 loses no notification that was accepted',
  () =>
    disturb(effort.kills, async () => {
      await service.end('SIGKILL')
      await service.start(settings)
    }),
  timeoutMs,
)

it(
  'SIGTERM loses no notification that was accepted',
  () =>
    disturb(effort.stops + 1, async () => {
      expect(await service.end('SIGTERM')).toBe(0)
      await service.start(settings)
    }),
  timeoutMs,
)

it(
  'kill -9 of PostgreSQL loses no notification that was accepted',
  () => disturb(effort.stops + 1, () => service.killPostgres()),
  timeoutMs,
)
