import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type StoreConnection } from '@peyk/server/base/store/store.ts'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import { addDevices } from '../helpers/delivery.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service is killed again and again while it hands over more messages than a cap allows. */

const users = 300
const messages = 6
const allowed = 2

const simulator = await startSimulator({ recordSize: users * messages * 3 })
afterAll(() => simulator.close())
const service = await prepareService('peyk-caps-')
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_PUSH_RATE: '200',
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000 }),
  })

it(
  'kill -9 while capped messages are handed over: nobody gets one too many, and nobody one too few',
  async () => {
    await start()
    await addUsers()
    const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
    expect((await call('POST', '/api/categories', { id: 'news', name: { en: 'News' } })).status).toBe(200)
    expect((await call('PUT', '/api/app', { caps: [{ count: allowed, window: '7d' }] })).status).toBe(200)
    const target = { language: 'cap' }
    const ids: string[] = []
    for (let index = 0; index < messages; index++) {
      const body = { target, content: `News ${index}`, notification: { title: 'News' }, category: 'news' }
      const sent = await call('POST', '/api/push/byQuery', body)
      expect(sent.body, JSON.stringify(sent.body)).toMatchObject({ count: users })
      ids.push(sent.body.id)
    }
    for (let kill = 0; kill < effort.kills; kill++) {
      const before = countPushes(ids)
      const isThrough = await until(
        async () => (countPushes(ids) > before ? 'more' : (await readWaiting(call, ids)) === 0 ? 'through' : undefined),
        (state) => state !== undefined,
        effort.longWaitMs,
      )
      if (isThrough === 'through') break
      await service.end('SIGKILL')
      await start()
    }
    await until(
      () => readWaiting(call, ids),
      (waiting) => waiting === 0,
      effort.longWaitMs,
    )
    const perUser = new Map<string, Set<string>>()
    for (const id of ids) {
      for (const { token } of simulator.providers.record.list({ messageId: id })) {
        perUser.set(token, (perUser.get(token) ?? new Set()).add(id))
      }
    }
    expect(perUser.size).toBe(users)
    expect([...new Set([...perUser.values()].map((got) => got.size))]).toEqual([allowed])
  },
  effort.timeoutMs,
)

async function addUsers(): Promise<void> {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 2 })
  try {
    const [row] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = 'demo'`)
    const app = { id: row?.app_id as number, label: 'demo' }
    const ctx = { app, store, log: silentLog, now: () => new Date(), external: testExternal }
    await addDevices(ctx, simulator.providers, 'fcm', users, 'capped')
    await store.query(sql`
      update installations i set language = 'cap' from users u
      where u.app_id = i.app_id and u.user_no = i.user_no and i.app_id = ${app.id} and u.user_id like 'capped-%'`)
  } finally {
    await store.close()
  }
}

function countPushes(ids: readonly string[]): number {
  return ids.reduce((sum, messageId) => sum + simulator.providers.record.list({ messageId }).length, 0)
}

async function readWaiting(call: ReturnType<typeof caller>, ids: readonly string[]): Promise<number> {
  const answers = await Promise.all(ids.map((id) => call('GET', `/api/messages/${id}`)))
  return answers.reduce((sum, { body }) => sum + body.progress.waiting, 0)
}
