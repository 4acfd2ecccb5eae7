import { randomUUID } from 'node:crypto'
import { loadConfig } from '@peyk/server/base/config.ts'
import { openStore } from '@peyk/server/base/store/store.ts'
import { createHttpServer } from '@peyk/server/entry/http/server.ts'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { openPostgresProxy } from '../helpers/database/postgres-proxy.ts'
import {
  createTestApp,
  createTestStore,
  createTestToken,
  silentLog,
  testExternal,
} from '../helpers/database/test-store.ts'
import { until } from '../helpers/runner/until.ts'
import { waitLimitMs } from '../helpers/runner/wait-limit.ts'
import { caller } from '../helpers/service/test-server.ts'

/** PostgreSQL is there and says nothing: stopped, its host lost, or failed over. */

const direct = await createTestStore()
const proxy = await openPostgresProxy(direct.url)
// Whoever waits for a connection is told that PostgreSQL is silent, and not before that there is none.
const store = openStore(proxy.url, { poolSize: 3, patienceMs: waitLimitMs })
const server = await createHttpServer({
  config: loadConfig({ PEYK_PORT: '0', PEYK_LOG_LEVEL: 'silent', PEYK_MODE: 'production' }),
  ...{ store, log: silentLog, now: () => new Date(), external: testExternal },
})
const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })
afterAll(async () => {
  await server.close()
  await store.drain()
  await store.close()
})
const ctx = await createTestApp(direct)
const call = caller(baseUrl, await createTestToken(ctx))

const countEvents = (name: string) =>
  direct.query(sql`select from events where app_id = ${ctx.app.id} and name = ${name}`).then((rows) => rows.length)
const isReady = () => fetch(`${baseUrl}/ready`).then(({ ok }) => ok)
const track = (eventName: string, key?: string) =>
  call(
    'POST',
    '/api/installations/track',
    { userId: 'sara', eventName },
    key === undefined ? {} : { 'idempotency-key': key },
  )

it('every request is told to come again, and what had a key is done once in the end', async () => {
  expect((await track('Before')).status).toBe(200)
  const keys = Array.from({ length: 4 }, () => randomUUID())
  proxy.fallSilent()
  const keyed = () => keys.map((key) => track('Keyed', key))
  const answers = await Promise.all([
    track('Plain'),
    ...keyed(),
    call('POST', '/api/push/toUsers', { user: 'sara', content: 'hi' }),
    call('POST', '/api/installations/addTags', { userId: 'sara', tags: ['vip'] }),
    call('GET', '/api/messages'),
    call('GET', '/ready'),
  ])
  for (const { status, headers, body } of answers) {
    expect(body).toMatchObject({ error: { code: 'store-away' } })
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200)
  proxy.speak()
  await until(isReady, Boolean)
  for (const key of keys)
    await until(
      () => track('Keyed', key).then(({ status }) => status),
      (status) => status === 200,
    )
  expect(await countEvents('Keyed')).toBe(4)
})

it('a commit whose answer is lost is looked up by its key', async () => {
  await until(isReady, Boolean)
  proxy.loseAnswerTo('commit')
  const { status, body } = await track('Unknown', randomUUID())
  expect([status, body]).toMatchObject([200, { queued: true }])
  expect(await countEvents('Unknown')).toBe(1)
})

it('after a failover the connections to the lost host are not used again', async () => {
  await until(isReady, Boolean)
  proxy.loseConnections()
  const key = randomUUID()
  await until(
    () => track('Over', key).then(({ status }) => status),
    (status) => status === 200,
  )
  expect(await countEvents('Over')).toBe(1)
})
