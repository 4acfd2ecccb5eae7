import type { Context } from '@peyk/server/base/context.ts'
import { registerInstallation } from '@peyk/server/features/installations/register/register-installation.ts'
import type { Accepted } from '@peyk/server/features/messages/accept/draft-message.ts'
import { notifyUsers } from '@peyk/server/features/messages/send/notify-users.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { createConnectionServerForTest, openConnectionServer, type TestClient } from '../helpers/connection.ts'
import { openDatabaseProxy } from '../helpers/database/database-proxy.ts'
import { createTestApp, createTestStore, createTestToken } from '../helpers/database/test-store.ts'
import type { Device } from '../helpers/devices.ts'
import { effort, isThorough } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { connectAll, durations, env, openProcess, startWorker } from './several-processes.ts'

/**
 * Notifications to connected clients that no provider reaches, while what serves them loses its database, dies or ends.
 * Some processes have a line to PostgreSQL that can be cut.
 */

const clientCount = 6

const living = await createConnectionServerForTest(env)
const { ctx, store, clientKey, register } = living
/** A database that no other process uses. */
const lonelyStore = await createTestStore()

const whose = { app: ctx, key: clientKey }

const registerAll = () => Promise.all(Array.from({ length: clientCount }, () => register()))

/** One to each device, and one to all of them as a group. */
async function notifyAll(devices: readonly Device[], by: Context = ctx): Promise<string[]> {
  const notification = { title: 'Hello' }
  const userIds = devices.map(({ userId }) => userId)
  const personal = await Promise.all(userIds.map((user) => notifyUsers(by, { user, notification })))
  const target = { userId: { inq: userIds } }
  const group = await notifyUsers(by, { target, notification })
  return [...(personal as Accepted[]), group as Accepted].map(({ id }) => id)
}

/** Each client got its own notifications and those of the group. */
async function expectAll(
  ids: readonly string[],
  clients: readonly (readonly TestClient[])[],
  { app, store } = ctx,
): Promise<void> {
  const rounds = ids.length / (clientCount + 1)
  const got = () =>
    clients.map((own) => new Set(own.flatMap(({ received }) => received.map(({ body }) => body.id))).size)
  const ended = () =>
    store.query<{ reason: string; count: number }>(sql`
      select reason, count(*) as count from deliveries
      where app_id = ${app.id} and message_id = any (${[...ids]}::uuid[]) and state = 'ended' group by 1`)
  await until(
    async () => ({ got: got(), ended: await ended() }),
    (seen) => seen.ended.length > 0 || seen.got.every((count) => count === 2 * rounds),
  )
  expect(await ended()).toEqual([])
}

/** A process whose line to the database can be cut, with clients. */
async function openCutProcess(
  url: string,
  devices: readonly Device[],
  { settings = env, ...of }: { app: Context; key: string; settings?: typeof env } = whose,
) {
  const proxy = await openDatabaseProxy(url)
  const own = openProcess(proxy.url)
  const service = await openConnectionServer(own, settings)
  onTestFinished(() => service.close())
  const clients = await connectAll(service, devices, of)
  startWorker(own)
  return { proxy, clients: clients.map((client) => [client]) }
}

it.runIf(isThorough)('a database that is away for longer than a process counts as alive loses none', async () => {
  const app = await createTestApp(lonelyStore)
  const key = await createTestToken(app, ['client'])
  const devices = await Promise.all(
    Array.from({ length: clientCount }, async (_, index) => {
      const userId = `user-${index}`
      const { id } = await registerInstallation(app, { deviceType: 'android', userId, isGuest: false })
      return { id, userId }
    }),
  )
  // Whoever says that the process lives comes back later than who delivers, as may be with the usual durations, too.
  const settings = { PEYK_TEST_DURATIONS: JSON.stringify({ ...durations, holdEveryMs: 20_000 }) }
  const { proxy, clients } = await openCutProcess(lonelyStore.url, devices, { app, key, settings })
  const ids = await notifyAll(devices, app)
  proxy.cut()
  ids.push(...(await notifyAll(devices, app)))
  await until(
    () => lonelyStore.query(sql`select from connection_holders where alive_until < now() - interval '1 second'`),
    (late) => late.length > 0,
  )
  ids.push(...(await notifyAll(devices, app)))
  proxy.restore()
  ids.push(...(await notifyAll(devices, app)))
  await expectAll(ids, clients, app)
})

it.runIf(isThorough)('a process that was cut off until the others gave it up loses none', async () => {
  const devices = await registerAll()
  const { proxy, clients } = await openCutProcess(store.url, devices)
  startWorker(openProcess(store.url))
  const ids = await notifyAll(devices)
  proxy.cut()
  ids.push(...(await notifyAll(devices)))
  await until(
    () => store.query(sql`select from connections join connection_holders using (holder) where app_id = ${ctx.app.id}`),
    (held) => held.length === 0,
  )
  ids.push(...(await notifyAll(devices)))
  proxy.restore()
  ids.push(...(await notifyAll(devices)))
  await expectAll(ids, clients)
})

it('a worker that dies between taking and settling loses none, at whatever moment', async () => {
  const devices = await registerAll()
  const clients = await connectAll(living, devices, whose)
  const ids: string[] = []
  for (let kill = 0; kill < effort.workerKills; kill++) {
    const proxy = await openDatabaseProxy(store.url)
    const worker = startWorker(openProcess(proxy.url))
    const sending = notifyAll(devices)
    // A moment earlier each time: while it takes the first, the next, all.
    await until(
      () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id} and lease_holder is not null`),
      (taken) => taken.length > kill % 3 || kill % 4 === 3,
    )
    proxy.cut()
    ids.push(...(await sending))
    void worker.stop()
  }
  startWorker(openProcess(store.url))
  await expectAll(
    ids,
    clients.map((client) => [client]),
  )
})

it('a process that ends in order loses none, and its clients get them from the next', async () => {
  const devices = await registerAll()
  const before: TestClient[][] = devices.map(() => [])
  const ids: string[] = []
  for (let stop = 0; stop < effort.stops + 1; stop++) {
    const own = openProcess(store.url)
    const service = await openConnectionServer(own, env)
    onTestFinished(() => service.close())
    const worker = startWorker(own)
    const clients = await connectAll(service, devices, whose)
    for (const [index, client] of clients.entries()) before[index]?.push(client)
    const sending = notifyAll(devices)
    await service.close()
    ids.push(...(await sending))
    ids.push(...(await notifyAll(devices)))
    await worker.stop()
  }
  startWorker(openProcess(store.url))
  const last = await connectAll(living, devices, whose)
  await expectAll(
    ids,
    last.map((client, index) => [client, ...(before[index] ?? [])]),
  )
})
