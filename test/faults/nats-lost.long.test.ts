import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { clientIdOf, connectClient, endClients } from '../helpers/connection.ts'
import { createTestApp, createTestStore, createTestToken } from '../helpers/database/test-store.ts'
import { registerDevice } from '../helpers/devices.ts'
import { hasNats, NatsServer, noNats } from '../helpers/programs/nats.ts'
import { until } from '../helpers/runner/until.ts'
import { startRole } from '../helpers/service/role-process.ts'
import { caller } from '../helpers/service/test-server.ts'

const store = await createTestStore()
const clientCount = 12
const perPhase = 60

beforeEach(({ skip }) => skip(!hasNats(), noNats))

it('NATS that is lost and comes back in the middle of a load loses and doubles nothing', async () => {
  const server = await NatsServer.start()
  const env = { PEYK_NATS_URL: `nats://127.0.0.1:${server.port}` }
  const roles = ['api', 'connection', 'connection', 'worker'] as const
  const processes = await Promise.all(roles.map((role) => startRole(role, store.url, env)))
  onTestFinished(endClients)
  const [api, ...others] = processes
  const all = () => processes.map(({ bus }) => [bus.isNatsOpen, bus.peers.count])
  await until(all, (each) => each.every(([isOpen, count]) => isOpen === true && count === others.length))

  const ctx = await createTestApp(store)
  const [token, key] = [await createTestToken(ctx), await createTestToken(ctx, ['client'])]
  const [asServer, asClient] = [caller(api?.baseUrl as string, token), caller(api?.baseUrl as string, key)]
  const clients = await Promise.all(
    Array.from({ length: clientCount }, async (_, index) => {
      const device = await registerDevice(asClient, { userId: `user-${index}` })
      return connectClient(others[index % 2]?.mqttUrl as string, { clientId: clientIdOf(ctx, device), key })
    }),
  )
  const expected = clients.map((): string[] => [])
  const send = async () => {
    for (let count = 0; count < perPhase; count++) {
      const to = count % clientCount
      const { status, body } = await asServer('POST', '/api/push/toUsers', { user: `user-${to}`, content: `${count}` })
      expect(status).toBe(200)
      expected[to]?.push(body.id)
    }
  }
  const areDelivered = () =>
    until(
      () => clients.map(({ received }) => received.length),
      (counts) => counts.every((count, index) => count >= (expected[index]?.length ?? 0)),
    )

  await send()
  await areDelivered()
  const during = send()
  await server.end('SIGKILL')
  await during
  await until(all, (each) => each.every(([isOpen]) => isOpen === false))
  await areDelivered()
  const back = send()
  await server.start()
  await back
  await until(all, (each) => each.every(([isOpen]) => isOpen === true))
  await send()
  await areDelivered()
  // Each once, and in the order in which they were accepted.
  expect(clients.map(({ received }) => received.map(({ body }) => body.id))).toEqual(expected)
})
