import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type Store, type StoreConnection } from '@peyk/server/base/store/store.ts'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { addDevices } from '../helpers/delivery.ts'
import { findBroken } from '../helpers/invariants.ts'
import { effort, effortLevel, isThorough } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'
import { countReceived as countPushes, inspectSend } from './big-send.ts'

/** The service is killed and ended again and again while it sends to many, each user with a promo code of their own. */

const { kills, installations, pushesPerSecond } = effort.delivery
const { timeoutMs, longWaitMs } = effort
const phonesPerPlatform = 4
/** Those of the demo's own user, one of them without a provider. */
const demoPhones = 4

const simulator = await startSimulator({ recordSize: installations * 5 })
afterAll(() => simulator.close())
const service = await prepareService('peyk-delivery-')
const leaseMs = 3_000
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_PUSH_RATE: String(pushesPerSecond),
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: leaseMs }),
  })

const { record } = simulator.providers
const countReceived = () => countPushes(record)

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
    const ctx = { app, store, log: silentLog, now: () => new Date(), external: testExternal }
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
    (phones) =>
      phones.length === demoPhones + 2 * 3 * phonesPerPlatform &&
      phones.every(
        ({ isRegistered, deviceToken, provider }) => isRegistered && (deviceToken !== null || provider === 'none'),
      ),
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

type Call = ReturnType<typeof caller>

/**
 * Sends to everybody, does what it is told in the middle of it `times` times, and looks at what became of it. Each time
 * there are pushes without an answer, until it releases them.
 */
async function disturbSend(
  prefix: string,
  disturb: (release: () => void, id: string) => Promise<void>,
  times: number = kills,
) {
  const { accessToken } = await service.readDemo()
  const call = caller(service.baseUrl, accessToken)
  await uploadCodes(accessToken, installations + 2_000, prefix)
  record.clear()
  hold.again(times)
  const accepted = await call('POST', '/api/push/byQuery', { target: {}, content: 'Your code: {{ promoCode }}' })
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
  const { id, count } = accepted.body as { id: string; count: number }
  for (let left = times; left > 0; left--) {
    // While the service is slow to come back, its senders may hand over all the rest: then this was the last time.
    const waiting = await until(
      async () => (hold.isHolding() ? 'for answers' : await readWaiting(call, id)),
      (waiting) => waiting === 'for answers' || (waiting === 0 && left < times),
      longWaitMs,
    )
    if (waiting === 0) break
    expect(await readWaiting(call, id)).toBeGreaterThan(0)
    await disturb(() => (left > 1 ? hold.again(times) : hold.end()), id)
  }
  await until(
    () => readWaiting(call, id),
    (waiting) => waiting === 0,
    longWaitMs,
  )
  const report = await onStore(async (store) => {
    expect(await findBroken(store)).toEqual([])
    return inspectSend(store, record, { appId: await getDemoId(store), messageId: id })
  })
  if (effort.isLong) console.info({ kills, ...report, problems: report.problems.length })
  expect(report).toMatchObject({ problems: [], installations: count })
  const countShown = () =>
    simulator.phones.list().map(({ notifications }) => notifications.filter(({ messageId }) => messageId === id).length)
  const shown = await until(countShown, (counts) => counts.every((count) => count > 0))
  expect(shown).toEqual(shown.map(() => 1))
  return report
}

/** FCM answers some pushes, and leaves those that follow without an answer until it is told otherwise. */
const hold = {
  from: 0,
  again(times: number) {
    const answered = Math.round((installations / 4 / (times + 1)) * (0.5 + Math.random() / 2))
    hold.from = countFcm() + answered
    simulator.providers.faults.set('fcm', [{ match: { after: answered }, delayMs: 600_000 }])
  },
  end: () => simulator.providers.faults.clear(),
  isHolding: () => countFcm() > hold.from,
}

function countFcm(): number {
  return record.countAll().fcm.received
}

async function readWaiting(call: Call, id: string): Promise<number | undefined> {
  const { body } = await call('GET', `/api/messages/${id}`)
  return body.progress?.waiting
}

beforeAll(async () => {
  await start()
  // The service gives the demo's user phones only while there are none, and is ready a moment before it does.
  await until(
    () => simulator.phones.list().length,
    (count) => count === demoPhones,
  )
  await equip()
}, timeoutMs)

it(
  'kill -9 of the service loses no delivery, gives no code twice, and shows no device a second message',
  async () => {
    const { mostOften, repeated } = await disturbSend('1', async (release, id) => {
      await service.end('SIGKILL')
      release()
      const before = countReceived()
      await start()
      const far = await onStore((store) =>
        store.query(sql`
          select from delivery_batches where message_id = ${id} and available_at > now() + ${2 * leaseMs} * interval '1 millisecond'`),
      )
      expect(far).toEqual([])
      await until(countReceived, (received) => received > before)
    })
    expect(mostOften).toBeLessThanOrEqual(1 + kills)
    // What was in flight, and the results of the last moments that were not yet stored.
    expect(repeated / kills).toBeLessThan(3 * pushesPerSecond * 2)
  },
  timeoutMs,
)

it.runIf(isThorough)(
  'kill -9 of PostgreSQL during a send loses nothing and doubles nothing',
  async () => {
    const { repeated } = await disturbSend('2', async (release) => {
      const back = service.killPostgres()
      release()
      await back
    })
    expect(repeated).toBe(0)
  },
  timeoutMs,
)

// `npm test` has the kills; an end in order is the easier case.
if (effortLevel !== 'usual') {
  it(
    'SIGTERM during a send ends the service in order, and the next start goes on without sending anything again',
    async () => {
      const { repeated } = await disturbSend(
        '3',
        async (release) => {
          const ended = service.end('SIGTERM')
          // What is in flight has an answer before it ends.
          hold.end()
          expect(await ended).toBe(0)
          release()
          await start()
        },
        effort.stops,
      )
      expect(repeated).toBe(0)
    },
    timeoutMs,
  )
}
