import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '@peyk/server/features/accounts/apps/create-app.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { createTestStore } from '../helpers/database/test-store.ts'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { until } from '../helpers/runner/until.ts'
import { freePort, ServiceProcess } from '../helpers/service/service-process.ts'

const store = await createTestStore()

interface Backend {
  url: string
  isReady: boolean
  agent: Agent
  requests: number
}

/** A proxy as simple as they come: it asks `/ready`, keeps connections open, and never repeats a request. */
async function startProxy(urls: readonly string[]) {
  const backends: Backend[] = urls.map((url) => ({
    url,
    isReady: false,
    agent: new Agent({ keepAlive: true }),
    requests: 0,
  }))
  const ending = new AbortController()
  const watch = async (backend: Backend) => {
    while (!ending.signal.aborted) {
      const answer = await fetch(`${backend.url}/ready`).catch(() => undefined)
      await answer?.body?.cancel()
      backend.isReady = answer?.status === 200
      await sleep(100, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  let turn = 0
  const forward = (incoming: IncomingMessage, reply: ServerResponse) => {
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[turn++ % ready.length]
    if (!backend) return void reply.writeHead(503).end('no backend')
    backend.requests++
    const { method, headers, url } = incoming
    const outgoing = request(backend.url + url, { method, headers, agent: backend.agent }, (answer) => {
      reply.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] ?? '' })
      answer.pipe(reply)
    })
    outgoing.on('error', (error) => reply.headersSent || reply.writeHead(502).end(error.message))
    incoming.pipe(outgoing)
  }
  const server = createServer(forward).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const watching = backends.map(watch)
  onTestFinished(async () => {
    ending.abort()
    server.close().closeAllConnections()
    await Promise.all(watching)
    for (const { agent } of backends) agent.destroy()
  })
  return { backends, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it('two processes behind a proxy are restarted one after the other, and no caller notices', async () => {
  const { accessToken } = await createApp({ store, now: () => new Date() }, { label: 'rolling' })
  const env = {
    PEYK_MODE: 'production',
    PEYK_DATABASE_URL: store.url,
    PEYK_DATABASE_POOL: '4',
    PEYK_SECRET_KEY: 'a'.repeat(64),
  }
  const services = await Promise.all(
    ['one', 'two'].map(async (name) => new ServiceProcess(await makeGuardedFolder(`peyk-${name}-`), await freePort())),
  )
  onTestFinished(() => Promise.all(services.map((service) => service.remove())).then(() => undefined))
  const start = (service: ServiceProcess) => service.start({ ...env, PEYK_TEST_DURATIONS: '{"drainMs":5000}' })
  for (const service of services) await start(service)
  const proxy = await startProxy(services.map(({ baseUrl }) => baseUrl))
  await until(
    () => proxy.backends.map(({ isReady }) => isReady),
    (ready) => ready.every(Boolean),
  )

  const statuses = new Map<string, number>()
  let [sent, isOver] = [0, false]
  const headers = { 'content-type': 'application/json', 'x-access-token': accessToken }
  const call = async (name: string) => {
    while (!isOver) {
      const body = JSON.stringify({ user: name, content: `number ${sent}` })
      const answer =
        name === 'reader'
          ? await fetch(`${proxy.url}/api/messages`, { headers })
          : await fetch(`${proxy.url}/api/push/toUsers`, { method: 'POST', headers, body })
      const text = await answer.text()
      const key = answer.status === 200 ? '200' : `${answer.status} ${text}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      if (name !== 'reader' && answer.status === 200) sent++
    }
  }
  const callers = ['ann', 'ben', 'cem', 'reader'].map(call)
  const enough = (backend: Backend) => {
    const before = backend.requests
    return until(
      () => backend.requests,
      (requests) => requests > before + 20,
    )
  }
  for (const [index, service] of services.entries()) {
    const backend = proxy.backends[index] as Backend
    await enough(backend)
    expect(await service.end('SIGTERM')).toBe(0)
    await start(service)
    await enough(backend)
  }
  isOver = true
  await Promise.all(callers)
  expect([...statuses.keys()]).toEqual(['200'])
  const [stored] = await store.query<{ count: number }>(sql`select count(*)::int as count from messages`)
  expect(stored?.count).toBe(sent)
})
