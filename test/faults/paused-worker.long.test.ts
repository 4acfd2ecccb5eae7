import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp } from '@peyk/server/features/accounts/apps/create-app.ts'
import { startSimulator } from '@peyk/simulator'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { createTestStore, silentLog, testExternal } from '../helpers/database/test-store.ts'
import { addDevices } from '../helpers/delivery.ts'
import { findBroken } from '../helpers/invariants.ts'
import { effort } from '../helpers/runner/effort.ts'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { until } from '../helpers/runner/until.ts'
import { freePort, ServiceProcess } from '../helpers/service/service-process.ts'
import { caller } from '../helpers/service/test-server.ts'
import { countReceived, inspectSend } from './big-send.ts'

/** A process stands still during a send, for longer than its leases last; another goes on with it; the first wakes. */

const installations = effort.isLong ? 20_000 : 2_000
const folder = await makeGuardedFolder('peyk-paused-')
const store = await createTestStore()
const simulator = await startSimulator({ recordSize: installations * 4 })
const services = await Promise.all(
  ['one', 'two'].map(async (name) => new ServiceProcess(join(folder, name), await freePort())),
)
const [one, two] = services as [ServiceProcess, ServiceProcess]

afterAll(async () => {
  one.signal('SIGCONT')
  await Promise.all(services.map((service) => service.end('SIGTERM')))
  await simulator.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const env = {
  PEYK_DATABASE_URL: store.url,
  PEYK_SECRET_KEY: randomBytes(32).toString('hex'),
  PEYK_SIMULATOR_URL: simulator.url,
  PEYK_PUSH_RATE: String(installations / 8),
  PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000 }),
}

/** It may have been stopped within a transaction. PostgreSQL ends those as well, after a minute. */
const endIdleTransactions = () =>
  store.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and state_change < now() - interval '5 seconds'`)

it('what a paused process did is refused when it wakes, and the other has sent the rest', async () => {
  const { app: made, ...tokens } = await createApp({ store, now: () => new Date() }, { label: 'demo' })
  const app = { id: made.id, label: 'demo' }
  // An app without users would be filled as a demo, which takes long.
  await store.query(sql`insert into users (app_id, user_id) values (${app.id}, 'user-1')`)
  for (const service of services) {
    await mkdir(service.dataFolder)
    await writeFile(join(service.dataFolder, 'demo.json'), JSON.stringify(tokens))
  }
  await one.start(env)
  // It gives the demo's user phones a moment after it is ready; they count as everybody does.
  await until(
    () => simulator.phones.states(),
    (phones) => phones.length === 4 && phones.every((phone) => phone.isRegistered),
  )
  const ctx = {
    app,
    store,
    log: silentLog,
    now: () => new Date(),
    external: testExternal,
  }
  for (let part = 0; part < installations / 2_000; part++)
    await addDevices(ctx, simulator.providers, 'fcm', 2_000, `fcm-${part}`)
  // So that there is something in flight at any moment.
  simulator.providers.faults.set('fcm', [{ delayMs: 300 }])
  const callOne = caller(one.baseUrl, tokens.accessToken)
  const { body } = await callOne('POST', '/api/push/byQuery', { target: {}, content: 'Hello' })
  const { id, count } = body as { id: string; count: number }
  const inspect = () => inspectSend(store, simulator.providers.record, { appId: ctx.app.id, messageId: id })
  const received = () => simulator.providers.record.list({ messageId: id }).length

  await until(
    () => countReceived(simulator.providers.record),
    (pushes) => pushes > count / 4,
  )
  one.signal('SIGSTOP')
  expect(received()).toBeLessThan(count)
  await two.start(env)
  const callTwo = caller(two.baseUrl, tokens.accessToken)
  await until(
    async () => {
      await endIdleTransactions()
      return callTwo('GET', `/api/messages/${id}`)
    },
    (answer) => answer.body.progress.waiting === 0,
  )
  const before = await inspect()
  expect(before).toMatchObject({ problems: [], installations: count })
  const heard = received()

  one.signal('SIGCONT')
  await until(
    () => fetch(`${one.baseUrl}/ready`).then((response) => response.ok),
    (isReady) => isReady,
  )
  // When it has sent something else, it has long looked at what it held.
  const { body: next } = await callOne('POST', '/api/push/byQuery', { target: {}, content: 'Again' })
  await until(
    () => callOne('GET', `/api/messages/${next.id}`),
    (answer) => answer.body.progress.waiting === 0,
  )
  if (effort.isLong) console.info({ ...before, after: received() - heard })
  expect(await inspect()).toMatchObject({ problems: [], installations: count })
  expect(received() - heard).toBeLessThanOrEqual(100)
  expect(await findBroken(store)).toEqual([])
})
