import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { connectRunningPostgres } from '../../server/src/base/store/embedded/embedded-postgres.ts'
import { openStore, type Store, type StoreConnection } from '../../server/src/base/store/store.ts'
import { addDevices, until } from '../helpers/delivery.ts'
import { effort } from '../helpers/effort.ts'
import { freePort, ServiceProcess } from '../helpers/service-process.ts'
import { caller } from '../helpers/test-server.ts'
import { silentLog, testOutside } from '../helpers/test-store.ts'
import { findBroken, inspectSend } from './big-send.ts'

/** The service is killed and ended again and again while it sends to many, each user with a promo code of their own. */

const { kills, installations, pushesPerSecond } = effort.delivery
const phonesPerPlatform = 4

const simulator = await startSimulator({ recordSize: installations * 5 })
const service = new ServiceProcess(await mkdtemp(join(tmpdir(), 'peyk-delivery-')), await freePort())
const start = () => service.start({ PEYK_SIMULATOR_URL: simulator.url, PEYK_PUSH_RATE: String(pushesPerSecond) })

afterAll(async () => {
  await service.end('SIGTERM')
  await simulator.close()
  await rm(service.dataFolder, { recursive: true, force: true })
})

const { record } = simulator.providers
const countReceived = () => Object.values(record.countAll()).reduce((sum, { received }) => sum + received, 0)

/** On the database of the service, whichever process it belongs to by now. */
async function onStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 2 })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function getDemoId(store: Store): Promise<number> {
  const [app] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = 'demo'`)
  return app?.app_id as number
}

async function equip(): Promise<void> {
  addPhones('early')
  await onStore(async (store) => {
    const app = { id: await getDemoId(store), label: 'demo' }
    const ctx = { app, store, log: silentLog, now: () => new Date(), outside: testOutside }
    for (const [provider, share] of [
      ['fcm', 0.6],
      ['apns', 0.2],
      ['webpush', 0.2],
    ] as const) {
      for (let left = installations * share, part = 0; left > 0; left -= 5_000, part++)
        await addDevices(ctx, simulator.providers, provider, Math.min(left, 5_000), `${provider}-${part}`)
    }
  })
  addPhones('late')
  await until(
    () => simulator.phones.states(),
    (phones) => phones.every(({ isRegistered, deviceToken }) => isRegistered && deviceToken !== null),
  )
}

function addPhones(prefix: string): void {
  for (const platform of ['android', 'ios', 'web'] as const)
    for (let index = 0; index < phonesPerPlatform; index++)
      simulator.phones.add({ platform, userId: `${prefix}-${platform}-${index}` })
}

async function uploadCodes(token: string, count: number, prefix: string): Promise<void> {
  const codes = Array.from({ length: count }, (_, index) => `CODE-${prefix}${String(index).padStart(8, '0')}`)
  const form = new FormData()
  form.set('file', new Blob([codes.join('\n')], { type: 'text/csv' }), 'codes.csv')
  const url = `${service.baseUrl}/api/containers/updateGlobalPromoCodes`
  const response = await fetch(url, { method: 'POST', headers: { 'x-access-token': token }, body: form })
  expect(response.status, await response.text()).toBe(200)
}

it(
  'every delivery ends once, with one code and one face, however often the service is killed',
  async () => {
    await start()
    const { accessToken } = await service.readDemo()
    const call = caller(service.baseUrl, accessToken)
    await equip()
    await uploadCodes(accessToken, installations + 2_000, '1')
    record.clear()
    const accepted = await call('POST', '/api/push/byQuery', { target: {}, content: 'Your code: {{ promoCode }}' })
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
    const { id, count } = accepted.body

    for (let round = 0; round < kills; round++) {
      const before = countReceived()
      const wanted = Math.min(before + pushesPerSecond * (0.5 + Math.random() * 2), (count * (round + 1)) / (kills + 1))
      await until(countReceived, (received) => received > wanted)
      await service.end('SIGKILL')
      const killedAt = countReceived()
      await start()
      const readyAt = performance.now()
      // A lease ends, and whoever is there goes on.
      const [late] = await onStore((store) =>
        store.query(
          sql`select from delivery_batches where message_id = ${id} and available_at > now() + interval '15 seconds'`,
        ),
      )
      expect(late).toBeUndefined()
      await until(countReceived, (received) => received > killedAt)
      expect(performance.now() - readyAt).toBeLessThan(15_000)
      console.log({ round, killedAt, wentOnMs: Math.round(performance.now() - readyAt) })
    }
    await until(
      () => call('GET', `/api/messages/${id}`),
      ({ body }) => body.progress?.waiting === 0,
    )
    await onStore(async (store) => {
      const appId = await getDemoId(store)
      const report = await inspectSend(store, record, { appId, messageId: id })
      console.log({ ...report, problems: report.problems.slice(0, 5) })
      expect(report.problems.slice(0, 10)).toEqual([])
      expect(report.installations).toBe(count)
      expect(report.mostOften).toBeLessThanOrEqual(1 + kills)
      expect(await findBroken(store)).toEqual([])
    })
    const shown = simulator.phones.list().map(({ notifications }) => notifications.map(({ messageId }) => messageId))
    expect(shown).toEqual(simulator.phones.list().map(() => [id]))
  },
  effort.delivery.timeoutMs,
)
