import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type Store, type StoreConnection } from '@peyk/server/base/store/store.ts'
import { assignVariant } from '@peyk/server/features/deliveries/variants/assign-variant.ts'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { addDevices } from '../helpers/delivery.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service is killed while a test is handed over, around the moment when its winner is decided, and afterwards. */

const users = 300
const variants = [
  { name: 'A', share: 50, notification: { title: 'Sale' } },
  { name: 'B', share: 50, notification: { title: 'Now' } },
]
const winner = { by: 'opened', after: '3s', testShare: 50, otherwise: 'A' }

const simulator = await startSimulator({ recordSize: users * 4 })
afterAll(() => simulator.close())
const service = await prepareService('peyk-winner-')
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_PUSH_RATE: '200',
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 2_000 }),
  })

it(
  'kill -9 around the decision: one winner, and everybody has the texts that are theirs',
  async () => {
    await start()
    await inStore(addUsers)
    const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
    const body = { target: { language: 'win' }, content: 'Hello', notification: { title: 'Plain' }, variants, winner }
    const { body: sent } = await call('POST', '/api/push/byQuery', body)
    expect(sent, JSON.stringify(sent)).toMatchObject({ count: users })
    const id = sent.id as string
    for (let kill = 0; kill < effort.kills; kill++) {
      const before = countPushes(id)
      const waiting = await until(
        async () => {
          const left = (await call('GET', `/api/messages/${id}`)).body.progress.waiting as number
          return countPushes(id) > before || left === 0 ? left : undefined
        },
        (left) => left !== undefined,
        effort.longWaitMs,
      )
      if (waiting === 0) break
      await service.end('SIGKILL')
      await start()
    }
    await until(
      async () => (await call('GET', `/api/messages/${id}`)).body.progress.waiting,
      (left) => left === 0,
      effort.longWaitMs,
    )
    const { body: results } = await call('GET', `/api/messages/${id}/variants`)
    expect(results.winner).toMatchObject({ state: 'decided', why: expect.stringMatching(/^(tie|notEnoughData)$/) })
    expect(results.winner.variant).toBe('A')
    const places = await inStore((store) => readPlaces(store, id))
    expect(places).toHaveLength(users)
    const titles = new Map<string, Set<string>>()
    for (const { token, payload } of simulator.providers.record.list({ messageId: id })) {
      const title = ['Sale', 'Now', 'Plain'].find((each) => JSON.stringify(payload).includes(`"${each}`)) ?? '?'
      titles.set(token, (titles.get(token) ?? new Set()).add(title))
    }
    expect(titles.size).toBe(users)
    for (const { token, variant, stored } of places) {
      expect(stored).toBe(variant)
      expect([...(titles.get(token) ?? [])]).toEqual([variant === 'A' ? 'Sale' : 'Now'])
    }
    const tested = results.variants.reduce((sum: number, { assigned }: { assigned: number }) => sum + assigned, 0)
    expect(tested + results.winner.others.assigned).toBe(users)
  },
  effort.timeoutMs,
)

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 2 })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function addUsers(store: Store): Promise<void> {
  const [row] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = 'demo'`)
  const app = { id: row?.app_id as number, label: 'demo' }
  const ctx = { app, store, log: silentLog, now: () => new Date(), external: testExternal }
  await addDevices(ctx, simulator.providers, 'fcm', users, 'tested')
  await store.query(sql`
    update installations i set language = 'win' from users u
    where u.app_id = i.app_id and u.user_no = i.user_no and i.app_id = ${app.id} and u.user_id like 'tested-%'`)
}

/** What each device was to get, with A as the winner, and what is stored of it. */
async function readPlaces(store: Store, id: string) {
  const rows = await store.query<{ user_id: string; device_token: string; variant: string | null }>(sql`
    select u.user_id, t.device_token, d.variant from deliveries d
    join installations i on i.app_id = d.app_id and i.installation_no = d.installation_no
    join installation_details t on t.app_id = d.app_id and t.installation_no = d.installation_no
    join users u on u.app_id = i.app_id and u.user_no = i.user_no
    where d.message_id = ${id} and d.state <> 'ended'`)
  return rows.map(({ user_id, device_token, variant: stored }) => {
    const place = assignVariant({ variants, winner }, id, user_id)
    return { token: device_token, stored, variant: place.kind === 'tested' ? place.variant : 'A' }
  })
}

function countPushes(messageId: string): number {
  return simulator.providers.record.list({ messageId }).length
}
