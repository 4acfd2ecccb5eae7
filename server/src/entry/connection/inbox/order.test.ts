import {
  clientIdOf,
  connectClient,
  createConnectionServerForTest,
  openConnectionServer,
  type TestClient,
} from '@peyk/test/connection.ts'
import { silentLog, testExternal } from '@peyk/test/database/test-store.ts'
import type { Device } from '@peyk/test/devices.ts'
import { effort } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { defaultDurations } from '#base/durations.ts'
import { openStore, type Store } from '#base/store/store.ts'
import { createDispatcher } from '#features/deliveries/dispatch/dispatcher.ts'
import type { Accepted } from '#features/messages/accept/draft-message.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'

/** Messages to one user arrive in the order in which they were accepted, whatever the client and the processes do meanwhile. */

const here = await createConnectionServerForTest()
const { ctx, store, clientKey, register } = here
const otherStore = openStore(store.url, { poolSize: 4 })
const there = await openConnectionServer(otherStore)
const aheadMs = 3_000

const dispatchers = [startDispatcher(store), startDispatcher(otherStore)]
afterAll(async () => {
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
  await there.close()
  await otherStore.drain()
  await otherStore.close()
})

/** Two processes that accept messages; the clock of one is ahead. */
const processes: [Context, Context] = [ctx, { ...ctx, store: otherStore, now: () => new Date(Date.now() + aheadMs) }]

function startDispatcher(own: Store) {
  const dispatcher = createDispatcher({
    ...{ store: own, external: testExternal, log: silentLog, now: () => new Date() },
    pushesPerSecond: 1_000,
    durations: defaultDurations,
  })
  dispatcher.start()
  return dispatcher
}

const connect = (services: { tcpUrl: string }, device: Device) =>
  connectClient(services.tcpUrl, { clientId: clientIdOf(ctx, device), key: clientKey })

async function send(process: Context, device: Device, content: string): Promise<void> {
  const accepted = (await sendToUsers(process, { user: device.userId, content })) as Accepted
  expect(accepted.count).toBe(1)
}

/** What the clients of one device got, each message once. */
const received = (clients: readonly TestClient[]) => [
  ...new Set(clients.flatMap((client) => client.received.map(({ body }) => body.content as string))),
]

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

describe('messages to one user', () => {
  it('that are sent one after the other while the client comes and goes arrive in order', async () => {
    for (let round = 0; round < effort.returns; round++) {
      const device = await register()
      const count = 24
      const clients: TestClient[] = []
      for (let number = 0; number < count; number++) {
        await send(ctx, device, `${number}`)
        // It comes back in the middle of it, and once more.
        if (number === 7 + (round % 4)) clients.push(await connect(round % 2 ? here : there, device))
        if (number === 16) {
          await clients[0]?.endAsync(true)
          clients.push(await connect(round % 3 ? here : there, device))
        }
      }
      await until(
        () => received(clients).length,
        (got) => got === count,
      )
      expect(received(clients)).toEqual(numbers(count))
    }
  })

  it('that two processes accept in turn reach a client that was away in order', async () => {
    const device = await register()
    const count = 40
    for (let number = 0; number < count; number++) await send(processes[number % 2] as Context, device, `${number}`)
    await until(
      () => store.query(sql`select from delivery_batches where app_id = ${ctx.app.id}`),
      (batches) => batches.length === 0,
    )
    const client = await connect(there, device)
    await until(
      () => client.received.length,
      (got) => got >= count,
    )
    expect(received([client])).toEqual(numbers(count))
  })

  it('that two processes accept in turn reach a client that is connected in order', async () => {
    const device = await register()
    const client = await connect(here, device)
    const count = 60
    for (let number = 0; number < count; number++) await send(processes[number % 2] as Context, device, `${number}`)
    await until(
      () => client.received.length,
      (got) => got >= count,
    )
    expect(received([client])).toEqual(numbers(count))
  })

  it('in one list arrive in the order of the list', async () => {
    const device = await register()
    const client = await connect(here, device)
    const count = 100
    await sendToUsers(
      ctx,
      numbers(count).map((content) => ({ user: device.userId, content })),
    )
    await until(
      () => client.received.length,
      (got) => got >= count,
    )
    expect(received([client])).toEqual(numbers(count))
  })
})
