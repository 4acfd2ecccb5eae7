import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type Store, type StoreConnection } from '@peyk/server/base/store/store.ts'
import { forwardTime } from '@peyk/server/features/demo/forward-time.ts'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { addDevices } from '../helpers/delivery.ts'
import { findBroken } from '../helpers/invariants.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service is killed in each of the zones that a message with a local time goes through, and when it starts. */

const HOUR = 3_600_000
/** From east to west, an hour apart. */
const zones = ['Etc/GMT-3', 'Etc/GMT-2', 'Etc/GMT-1', 'UTC']
const perZone = 150
const total = zones.length * perZone

const simulator = await startSimulator({ recordSize: 50_000 })
afterAll(() => simulator.close())
const { record } = simulator.providers
const service = await prepareService('peyk-local-time-')
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_PUSH_RATE: '100',
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000 }),
  })

/** On the database of the service, whichever process it belongs to by now. */
async function onStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 2 })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Their tokens, by zone. */
function addUsers(): Promise<Set<string>[]> {
  return onStore(async (store) => {
    const [app] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = 'demo'`)
    const id = app?.app_id as number
    const ctx = { app: { id, label: 'demo' }, store, log: silentLog, now: () => new Date(), external: testExternal }
    const tokens: Set<string>[] = []
    for (const [index, zone] of zones.entries()) {
      const devices = await addDevices(ctx, simulator.providers, 'fcm', perZone, `zone-${index}`)
      const numbers = devices.map(({ installationNo }) => installationNo)
      await store.query(sql`
        update installations set time_zone = ${zone} where app_id = ${id} and installation_no = any(${numbers}::bigint[])`)
      tokens.push(new Set(devices.map(({ token }) => token)))
    }
    return tokens
  })
}

it(
  'kill -9 between zones: everybody gets it once, and nobody early',
  async () => {
    await start()
    const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
    const tokens = await addUsers()
    for (let round = 0; round < effort.killRounds; round++) await sendThroughZones(call, tokens)
  },
  effort.timeoutMs,
)

async function sendThroughZones(call: ReturnType<typeof caller>, tokens: readonly Set<string>[]): Promise<void> {
  record.clear()
  const [clock] = await onStore((store) => store.query<{ at: Date }>(sql`select peyk_now() as at`))
  const local = new Date((clock?.at.getTime() as number) + 3 * HOUR + 4_000).toISOString().slice(0, 19)
  const users = zones.flatMap((_, index) => Array.from({ length: perZone }, (_, no) => `zone-${index}-${no}`))
  const body = { users, content: 'Good morning', notification: { title: 'Now' }, ttl: 86_400, sendAt: { local } }
  const sent = await call('POST', '/api/push/toUsers', body)
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  const { id, count } = sent.body as { id: string; count: number }
  expect(count).toBe(total)
  await killAndStart()

  const received = () => record.list({ messageId: id })
  for (const [index] of zones.entries()) {
    const before = index * perZone
    await until(
      () => new Set(received().map(({ token }) => token)).size,
      (size) => size > before,
      effort.longWaitMs,
    )
    await killAndStart()
    const after = total - before - perZone
    await until(
      async () => (await call('GET', `/api/messages/${id}`)).body.progress.waiting,
      (waiting) => waiting === after,
      effort.longWaitMs,
    )
    const dueBy = tokens.slice(0, index + 1)
    const early = received().filter(({ token }) => !dueBy.some((own) => own.has(token)))
    expect(early, `in the time of ${zones[index]}`).toEqual([])
    await onStore((store) => forwardTime(store, 3_600))
  }
  const { body: message } = await call('GET', `/api/messages/${id}`)
  expect(message).toMatchObject({ state: 'sent', progress: { total, settled: total, waiting: 0 } })
  expect(message.states.sent).toBe(total)
  const times = Map.groupBy(received(), ({ token }) => token)
  expect(times.size).toBe(total)
  // What was in flight when it was killed may be seen twice by a provider, and is shown once.
  expect(Math.max(...[...times.values()].map((own) => own.length))).toBeLessThanOrEqual(2)
  expect(await onStore(findBroken)).toEqual([])
}

async function killAndStart(): Promise<void> {
  await service.end('SIGKILL')
  await start()
}
