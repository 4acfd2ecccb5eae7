import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { clientIdOf, connectClient, endClients } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import { registerDevice } from '@peyk/test/devices.ts'
import { createTestMember } from '@peyk/test/panel-caller.ts'
import { until } from '@peyk/test/runner/until.ts'
import { startRole } from '@peyk/test/service/role-process.ts'
import { caller } from '@peyk/test/service/test-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { listPresentRoles } from '#features/installations/connections/list-present-roles.ts'

const store = await createTestStore()

it('four processes with a role each accept, deliver and show a message together', async () => {
  const [api, connection, worker, index] = await Promise.all([
    startRole('api', store.url),
    startRole('connection', store.url),
    startRole('worker', store.url),
    startRole('index', store.url),
  ])
  onTestFinished(endClients)
  expect([api, worker, index].map(({ mqttUrl }) => mqttUrl)).toEqual([undefined, undefined, undefined])
  await until(
    () => [api, connection, worker, index].map(({ bus }) => bus.peers.count),
    (counts) => counts.every((count) => count === 3),
  )
  expect(await listPresentRoles({ store })).toEqual(['api', 'connection', 'worker', 'index'])
  await until(
    () => api.bus.peers.withRole('index'),
    (keepers) => keepers.length === 1 && keepers[0] === index.bus.id,
  )

  for (const [process, role] of [
    [api, 'api'] as const,
    [connection, 'connection'] as const,
    [worker, 'worker'] as const,
    [index, 'index'] as const,
  ]) {
    const read = (path: string) => fetch(process.baseUrl + path)
    expect(await (await read('/health')).json()).toEqual({ status: 'ok', roles: [role] })
    expect(await (await read('/ready')).json()).toEqual({ status: 'ready', roles: [role] })
    const metrics = await (await read('/metrics')).text()
    expect(metrics).toMatch(`peyk_process_role{role="${role}"} 1`)
    expect(metrics.includes('peyk_delivery_batches_held')).toBe(role === 'worker')
    expect(metrics.includes('peyk_connections')).toBe(role === 'connection')
    expect(metrics.includes('peyk_segment_indexes')).toBe(role === 'index')
    expect((await read('/panel/')).status).toBe(role === 'api' ? 200 : 404)
  }
  const ctx = await createTestApp(store)
  const [token, key] = [await createTestToken(ctx), await createTestToken(ctx, ['client'])]
  const refused = await caller(worker.baseUrl, token)('POST', '/api/push/toUsers', { user: 'x', content: 'x' })
  expect(refused).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringMatching(/roles are worker/) } },
  })

  const device = await registerDevice(caller(api.baseUrl, key), { userId: 'sara' })
  const client = await connectClient(connection.mqttUrl as string, { clientId: clientIdOf(ctx, device), key })
  const webSocket = `${connection.baseUrl.replace('http', 'ws')}/mqtt`
  const second = await registerDevice(caller(api.baseUrl, key), { userId: 'omid' })
  const page = await connectClient(webSocket, { clientId: clientIdOf(ctx, second), key })

  const { key: session } = await createTestMember(ctx, 'analyst')
  const live = await listen(`${api.baseUrl}/panel/api/apps/${ctx.app.label}/live?topics=messages`, `peyk=${session}`)
  const answer = await caller(api.baseUrl, token)('POST', '/api/push/toUsers', {
    users: ['sara', 'omid'],
    content: 'Hello',
  })
  expect(answer).toMatchObject({ status: 200, body: { count: 2 } })
  for (const each of [client, page])
    await until(
      () => each.received.map(({ body }) => body.id),
      (ids) => ids.length === 1 && ids[0] === answer.body.id,
    )
  await until(live, (text) => /"delivered":2/.test(text))
})

it('a process without a worker raises an alert and exports it, until there is one', async () => {
  const own = await createTestStore()
  const ctx = await createTestApp(own)
  const token = await createTestToken(ctx)
  const durations = { PEYK_TEST_DURATIONS: '{"holdEveryMs":100,"roleMissingMs":200}' }
  const api = await startRole('api', own.url, durations)
  const open = async () => {
    const { body } = await caller(api.baseUrl, token)('GET', '/api/alerts')
    return body.map((alert: { kind: string; subject: string }) => `${alert.kind} ${alert.subject}`).toSorted()
  }
  const metrics = async () => (await fetch(`${api.baseUrl}/metrics`)).text()
  await until(open, (kinds) => kinds.length === 3)
  expect(await open()).toEqual(['role-missing connection', 'role-missing index', 'role-missing worker'])
  expect(await metrics()).toMatch(/^peyk_role_processes\{role="worker"\} 0$/m)
  expect(await metrics()).toMatch(/^peyk_role_processes\{role="api"\} 1$/m)
  expect(await metrics()).toMatch(/^# TYPE peyk_delivery_overdue_seconds gauge$/m)
  await startRole('worker', own.url, durations)
  await until(open, (kinds) => !kinds.includes('role-missing worker'))
  await until(metrics, (text) => /^peyk_role_processes\{role="worker"\} 1$/m.test(text))
})

/** What the live page has been told so far. */
async function listen(url: string, cookie: string): Promise<() => string> {
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(url, { headers: { cookie }, agent: false }, resolve),
  )
  onTestFinished(async () => {
    response.destroy()
    await once(response, 'close')
  })
  let text = ''
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
