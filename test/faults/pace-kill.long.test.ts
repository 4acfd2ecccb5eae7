import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type Store, type StoreConnection } from '@peyk/server/base/store/store.ts'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { addDevices } from '../helpers/delivery.ts'
import { isExpanded, PaceLooks } from '../helpers/pace-looks.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { waitLimitMs } from '../helpers/runner/wait-limit.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service is killed while it sends at a pace, and while it takes a message back. */

const installations = 600
const perMinute = 1_200
const perSecond = perMinute / 60
/** Those of the demo's own user, one of them without a provider. */
const demoPhones = 4

const simulator = await startSimulator({ recordSize: installations * 10 })
afterAll(() => simulator.close())
const service = await prepareService('peyk-pace-')
const { record } = simulator.providers
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000 }),
  })

async function onStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const connection = (await connectRunningPostgres(service.dataFolder)) as StoreConnection
  const store = openStore(connection, { poolSize: 2, patienceMs: waitLimitMs })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function equip(): Promise<ReturnType<typeof caller>> {
  await start()
  await until(
    () => simulator.phones.list(),
    (list) => list.length === demoPhones && list.every(({ installationId }) => installationId !== null),
  )
  await onStore(async (store) => {
    const [row] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = 'demo'`)
    const app = { id: row?.app_id as number, label: 'demo' }
    const ctx = { app, store, log: silentLog, now: () => new Date(), external: testExternal }
    await addDevices(ctx, simulator.providers, 'fcm', installations)
  })
  return caller(service.baseUrl, (await service.readDemo()).accessToken)
}

const read = async (call: ReturnType<typeof caller>, id: string) => (await call('GET', `/api/messages/${id}`)).body

it(
  'kill -9 during a send with a throttle, and during its recall: nothing is lost, and nothing goes faster afterwards',
  async () => {
    const call = await equip()
    const startedAt = Date.now()
    const sent = await call('POST', '/api/push/byQuery', { target: {}, content: 'Hello', throttle: { perMinute } })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const { id, count } = sent.body as { id: string; count: number }
    const received = () => record.list({ messageId: id })
    await onStore((store) => until(() => isExpanded(store, id), Boolean))
    const looks = new PaceLooks(id)
    const goOn = (more: number) => {
      const before = received().length
      return onStore((store) =>
        until(
          async () => {
            await looks.look(store)
            return received().length
          },
          (now) => now >= before + more,
        ),
      )
    }
    for (let round = 0; round < 3; round++) {
      await goOn(perSecond * 2)
      await service.end('SIGKILL')
      await start()
    }
    const done = await onStore((store) =>
      until(
        async () => {
          await looks.look(store)
          return read(call, id)
        },
        ({ progress }) => progress.waiting === 0,
        effort.longWaitMs,
      ),
    )
    expect(done.states.sent + (done.progress.inInbox ?? 0)).toBe(count)
    const pushes = received()
    const repeated = pushes.length - new Set(pushes.map(({ token }) => token)).size
    // What was in flight when the service was killed comes again.
    expect(repeated).toBeLessThan(3 * 2 * perSecond)
    // What a provider sees of it depends on how busy the machine is: but it is never early.
    const early = pushes.filter(
      ({ at }, index) => at - startedAt < ((index + 1 - perSecond - repeated) / perSecond) * 1_000,
    )
    expect(early).toEqual([])
    expect(looks.findTooFast(perSecond)).toEqual([])

    record.clear()
    simulator.providers.faults.set('fcm', [{ match: { after: 100 }, delayMs: 600_000 }])
    const recalling = call('POST', `/api/messages/${id}/recall`).catch(() => undefined)
    const clears = () => record.list().filter(({ payload }) => JSON.stringify(payload).includes(`"clear":"${id}"`))
    await until(
      () => clears().length,
      (told) => told > 100,
    )
    await service.end('SIGKILL')
    await recalling
    simulator.providers.faults.clear()
    await start()
    const recalled = await until(
      () => read(call, id),
      ({ recall }) => recall !== undefined && recall.waiting === undefined && recall.cleared >= installations,
      effort.longWaitMs,
    )
    expect(recalled).toMatchObject({ state: 'recalled', states: done.states })
    expect(new Set(clears().map(({ token }) => token)).size).toBeGreaterThanOrEqual(installations)
    await until(
      () => simulator.phones.list().flatMap(({ notifications }) => notifications),
      (shown) => shown.every(({ messageId }) => messageId !== id),
    )
    expect(await call('POST', `/api/messages/${id}/recall`)).toMatchObject({ status: 200, body: { cancelled: 0 } })
  },
  effort.timeoutMs,
)
