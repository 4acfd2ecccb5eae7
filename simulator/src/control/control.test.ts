import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { poll } from '@peyk/test/runner/poll.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startSimulator } from '../simulator.ts'

const { baseUrl, clientKey, call: callService } = await createTestServer()
const simulator = await startSimulator({ service: { baseUrl, clientKey } })
afterAll(() => simulator.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Answer = { status: number; body: any; headers: Headers }

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(simulator.url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
}

/** With a Host of one's own choice, which fetch does not allow. */
function statusWithHost(host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(simulator.url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/phones', headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })
}

let users = 0

async function addPhone(platform: string) {
  const { status, body } = await call('POST', '/phones', { platform, userId: `control-${++users}` })
  expect(status).toBe(200)
  const read = async () => (await call('GET', `/phones/${body.id}`)).body
  return { id: body.id as string, read, address: () => simulator.phones.find(body.id)?.state.address ?? '' }
}

const push = (messageId: string) => ({
  pushId: messageId,
  content: { data: { messageId, title: 'Hi', body: 'Hello', actions: '[{"id":"yes","title":"Yes"}]' } },
  expiresAt: Date.now() + 60_000,
  collapseKey: undefined,
})

describe('phones', () => {
  it('are added, listed, touched and removed', async () => {
    const { id, read, address } = await addPhone('android')
    const listed = (await call('GET', '/phones')).body
    expect(listed.find((phone: { id: string }) => phone.id === id)).toEqual({
      id,
      name: 'Android phone',
      platform: 'android',
      provider: 'fcm',
      path: 'fcm',
      userId: expect.stringMatching(/^control-/),
      installationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      permission: 'allowed',
      online: true,
      installed: true,
      app: 'closed',
      connected: false,
      connectionFault: null,
      notifications: [],
      messages: [],
    })
    for (const messageId of ['m1', 'm2', 'm3']) simulator.phones.arrive(address(), push(messageId))
    expect((await call('POST', `/phones/${id}/tap`, { messageId: 'm1' })).status).toBe(200)
    expect((await call('POST', `/phones/${id}/dismiss`)).status).toBe(200)
    const acted = await call('POST', `/phones/${id}/action`, { messageId: 'm2', actionId: 'yes' })
    expect(acted.body.notifications).toEqual(
      [
        ['m1', 'opened'],
        ['m2', 'acted'],
        ['m3', 'dismissed'],
      ].map(([messageId, state]) => ({
        messageId,
        via: 'fcm',
        title: 'Hi',
        body: 'Hello',
        actions: [{ id: 'yes', title: 'Yes' }],
        shownAt: expect.any(Number),
        state,
      })),
    )
    for (const [act, fields] of [
      ['open', { app: 'open', path: 'connection' }],
      ['close', { app: 'closed', path: 'fcm' }],
      ['offline', { online: false }],
      ['online', { online: true }],
      ['uninstall', { installed: false, notifications: [] }],
      ['reinstall', { installed: true }],
    ] as const) {
      expect((await call('POST', `/phones/${id}/${act}`)).body, act).toMatchObject(fields)
    }
    expect((await call('DELETE', `/phones/${id}`)).status).toBe(200)
    expect(await read()).toMatchObject({ error: { status: 404 } })
  })

  it.each([
    ['android', {}],
    ['ios', {}],
    ['web', {}],
    ['web', { permission: 'denied' }],
    ['android', { provider: 'none' }],
  ])('are registered when their making is answered: %s %j', async (platform, more) => {
    const userId = `control-${++users}`
    const { body } = await call('POST', '/phones', { platform, userId, ...more })
    expect(body.installationId).toMatch(/^[0-9a-f-]{36}$/)
    const sent = await callService('POST', '/api/push/toUsers', { user: userId, content: 'Hello' })
    expect(sent).toMatchObject({ status: 200, body: { count: 1 } })
  })

  it('are not made when the service does not take them, and the answer says why', async () => {
    const refusing = createServer((_request, response) => response.writeHead(400).end('{"error":"no such app"}'))
    refusing.listen(0, '127.0.0.1')
    await once(refusing, 'listening')
    onTestFinished(() => void refusing.close())
    const { port } = refusing.address() as AddressInfo
    const other = await startSimulator({ service: { baseUrl: `http://127.0.0.1:${port}`, clientKey } })
    onTestFinished(() => other.close())
    const body = JSON.stringify({ platform: 'android', userId: 'u' })
    const answer = await fetch(`${other.url}/phones`, { method: 'POST', body })
    expect(answer.status).toBe(409)
    const { error } = (await answer.json()) as { error: { message: string } }
    expect(error.message).toMatch(
      /^The phone was not added\. The service at http:\S+ did not register it: .*no such app/,
    )
    expect(other.phones.list()).toEqual([])
  })

  it('are made without waiting where no service is known yet', async () => {
    const alone = await startSimulator({})
    onTestFinished(() => alone.close())
    const body = JSON.stringify({ platform: 'android', userId: 'u' })
    const answer = await fetch(`${alone.url}/phones`, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toMatchObject([200, { installationId: null }])
  })

  it('are streamed: all of them first, then each change', async () => {
    const { id, address } = await addPhone('ios')
    const controller = new AbortController()
    const response = await fetch(`${simulator.url}/phones/stream`, { signal: controller.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    let text = ''
    const reading = (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
    })().catch(() => undefined)
    await poll(() => text).toMatch(/^event: phones\ndata: \[.*\]\n\n/)
    expect(text).toContain(id)
    simulator.phones.arrive(address(), {
      ...push('streamed'),
      content: { aps: { alert: 'Live' }, messageId: 'streamed' },
    })
    await poll(() => text).toMatch(/event: phone\ndata: .*"messageId":"streamed".*\n\n/)
    await call('DELETE', `/phones/${id}`)
    await poll(() => text).toContain(`event: removed\ndata: {"id":"${id}"}\n\n`)
    controller.abort()
    await reading
  })

  it('may be without a provider', async () => {
    const { body } = await call('POST', '/phones', { platform: 'android', provider: 'none', userId: 'control-none' })
    expect(body).toMatchObject({ name: 'Android phone without Google services', provider: 'none', path: 'connection' })
    const usual = await call('POST', '/phones', { platform: 'ios', provider: 'apns', userId: 'control-usual' })
    expect(usual.body).toMatchObject({ provider: 'apns', path: 'apns' })
  })

  it.each([
    [{ platform: 'windows', userId: 'u' }, 'platform: expected one of android, ios, web, got "windows".'],
    [{ platform: 'ios' }, 'userId: expected 1 to 64 characters'],
    [{ platform: 'ios', userId: 'a/b' }, 'userId: expected'],
    [{ platform: 'ios', userId: 7 }, 'got 7'],
    [{ platform: 'ios', userId: 'u', permission: 'maybe' }, 'permission: expected one of allowed, denied'],
    [{ platform: 'ios', userId: 'u', provider: 'none' }, 'provider: expected one of apns, got "none".'],
    [{ platform: 'android', userId: 'u', provider: 'apns' }, 'provider: expected one of fcm, none, got "apns".'],
    [{}, 'platform: expected'],
  ])('are not made of %j', async (body, message) => {
    const answer = await call('POST', '/phones', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
  })

  it('say what is wrong with what is done to them', async () => {
    const { id, address } = await addPhone('android')
    simulator.phones.arrive(address(), push('m1'))
    const touch = (path: string, body?: object) =>
      call('POST', `/phones/${id}/${path}`, body).then(({ status }) => status)
    expect(await touch('tap', { messageId: 'other' })).toBe(404)
    expect(await touch('tap', { messageId: 7 })).toBe(400)
    expect(await touch('action', { messageId: 'm1', actionId: 'no' })).toBe(400)
    expect(await touch('action', { messageId: 'm1' })).toBe(400)
    expect(await touch('dismiss')).toBe(200)
    expect(await touch('tap', { messageId: 'm1' })).toBe(409)
    expect(await touch('dismiss')).toBe(404)
    expect(await touch('throw')).toBe(404)
    expect([await touch('uninstall'), await touch('open'), await touch('close')]).toEqual([200, 409, 200])
    expect((await call('POST', '/phones/nobody/tap')).status).toBe(404)
  })
})

describe('the crowd', () => {
  it('has a size and a pace', async () => {
    const asleep = { members: 0, connected: 0, pending: 0 }
    expect((await call('GET', '/crowd')).body).toEqual({ size: 300, pace: 1, ...asleep })
    expect((await call('POST', '/crowd', { pace: 0.5 })).body).toEqual({ size: 300, pace: 0.5, ...asleep })
    expect((await call('POST', '/crowd', { size: 0, pace: 100 })).body).toEqual({ size: 0, pace: 100, ...asleep })
    expect((await call('GET', '/crowd')).body).toEqual({ size: 0, pace: 100, ...asleep })
  })

  it.each([
    ['POST', '/crowd', { pace: -1 }, 'pace: expected a number from 0 to 100, got -1.'],
    ['POST', '/crowd', { pace: 101 }, 'pace: expected a number from 0 to 100, got 101.'],
    ['POST', '/crowd', { pace: null }, 'pace: expected a number from 0 to 100, got null.'],
    ['POST', '/crowd', { size: 1.5 }, 'size: expected a whole number from 0 to 2000, got 1.5.'],
    ['POST', '/crowd', { size: 2_001 }, 'size: expected a whole number from 0 to 2000, got 2001.'],
    ['PUT', '/service', { baseUrl, clientKey, crowd: true }, 'crowd: expected an object, got true.'],
    ['PUT', '/service', { baseUrl, clientKey, crowd: { size: '9' } }, 'size: expected a whole number from 0 to 2000'],
  ])('is not set by %s %s %j', async (method, path, body, message) => {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
  })
})

describe('faults, record and tokens', () => {
  it('are set, listed and cleared', async () => {
    const rules = [
      { match: { every: 2, token: 't' }, status: 503, retryAfter: 'soon' },
      JSON.parse('{"then":"goaway","lastStream":"at"}'),
    ]
    expect(await call('PUT', '/faults/fcm', { rules })).toMatchObject({ status: 200, body: { fcm: rules } })
    expect((await call('GET', '/faults')).body).toEqual({ fcm: rules })
    expect(simulator.providers.faults.list()).toEqual({ fcm: rules })
    expect((await call('DELETE', '/faults')).body).toEqual({})
    expect(simulator.providers.faults.list()).toEqual({})
  })

  it.each([
    [{}, 'rules: expected an array'],
    [{ rules: [7] }, 'rules[0]: expected an object, got 7.'],
    [{ rules: [{}, { stauts: 503 }] }, 'rules[1]: expected status, reason'],
    [{ rules: [{ status: '503' }] }, 'rules[0].status: expected a whole number from 200 to 599, got "503".'],
    [{ rules: [JSON.parse('{"then":"explode"}')] }, 'rules[0].then: expected one of goaway, rst'],
    [{ rules: [{ match: { every: 0 } }] }, 'rules[0].match.every: expected a whole number from 1'],
    [{ rules: [{ match: [] }] }, 'rules[0].match: expected an object, got an array.'],
    [{ rules: [JSON.parse('{"then":"rst","code":"NONSENSE"}')] }, 'rules[0].code: expected'],
    [{ rules: [JSON.parse('{"__proto__": 1}')] }, 'rules[0]: expected'],
    [{ rules: [{ constructor: 1 }] }, 'rules[0]: expected'],
  ])('are not set by %j', async (body, message) => {
    const answer = await call('PUT', '/faults/apns', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
    expect((await call('PUT', '/faults/pigeon', { rules: [] })).status).toBe(404)
  })

  it('hand out live tokens of every provider', async () => {
    const { tokens } = simulator.providers
    for (const provider of ['fcm', 'apns', 'webpush'] as const) {
      const { body } = await call('POST', '/tokens', { provider, count: 20 })
      expect(new Set(body.tokens).size).toBe(20)
      for (const token of body.tokens) expect(tokens.read(provider, token)).toBeDefined()
    }
    const { body } = await call('POST', '/tokens', { provider: 'apns', count: 2 })
    const killed = await call('DELETE', '/tokens', { provider: 'apns', tokens: [...body.tokens, 'foreign'] })
    expect(killed.body).toEqual({ killed: 2 })
    expect((await call('DELETE', '/tokens', { provider: 'apns', tokens: [7] })).status).toBe(400)
    expect((await call('POST', '/tokens', { provider: 'sms', count: 1 })).status).toBe(400)
    for (const count of [0, -1, 1.5, '5', 1e9, undefined])
      expect((await call('POST', '/tokens', { provider: 'fcm', count })).status).toBe(400)
  })

  it('answer what arrived, and how much is to be written down', async () => {
    expect((await call('GET', '/received?provider=fcm&messageId=m')).body).toEqual([])
    expect((await call('GET', '/received?provider=pigeon')).status).toBe(400)
    expect((await call('GET', '/received/counts')).body).toMatchObject({ fcm: { received: 0, taken: 0 } })
    expect((await call('GET', '/received/duplicates')).body).toEqual([])
    expect((await call('DELETE', '/received')).status).toBe(200)
    expect((await call('PUT', '/record', { mode: 'count' })).body).toEqual({ mode: 'count' })
    expect((await call('PUT', '/record', { mode: 'some' })).status).toBe(400)
    await call('PUT', '/record', { mode: 'all' })
  })

  it('tell a service where everything is', async () => {
    const { body } = await call('GET', '/providers')
    expect(body.endpoints.localOrigins).toContain(new URL(body.credentials.fcm.token_uri).origin)
    expect(body.endpoints.localOrigins).toContain(body.endpoints.webPush)
    expect(body.ca).toContain('BEGIN CERTIFICATE')
    expect((await call('PUT', '/service', { baseUrl: 'ftp://x', clientKey: 'k' })).status).toBe(400)
    expect((await call('PUT', '/service', { baseUrl })).status).toBe(400)
    for (const mqttUrl of ['http://localhost:1884', 'mqtt://', 'mqtt:', 7]) {
      expect((await call('PUT', '/service', { baseUrl, clientKey, mqttUrl })).status).toBe(400)
    }
    const mqttUrl = 'mqtt://localhost:1884'
    expect((await call('PUT', '/service', { baseUrl, clientKey, mqttUrl })).status).toBe(200)
    expect((await call('PUT', '/service', { baseUrl, clientKey })).status).toBe(200)
  })
})

describe('callers', () => {
  it('must be on this machine', async () => {
    expect(await statusWithHost('evil.example:80')).toBe(403)
    expect(await statusWithHost('127.0.0.1.evil.example')).toBe(403)
    expect(await statusWithHost('localhost:1234')).toBe(200)
    expect(await statusWithHost('[::1]:1234')).toBe(200)
    expect((await call('POST', '/phones', '{}', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await call('GET', '/phones', undefined, { origin: 'null' })).status).toBe(403)
  })

  it('may be pages of localhost', async () => {
    const origin = 'http://localhost:5173'
    const asked = await call('OPTIONS', '/phones', undefined, { origin, 'access-control-request-method': 'POST' })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
    expect((await call('GET', '/phones', undefined, { origin })).headers.get('access-control-allow-origin')).toBe(
      origin,
    )
  })

  it.each([
    ['POST', '/phones', 'not json', 400],
    ['POST', '/phones', '[]', 400],
    ['POST', '/phones', 'null', 400],
    ['POST', '/phones', '"\u0000"', 400],
    ['POST', '/phones', `{"platform":"${'x'.repeat(2_000_000)}"}`, 413],
    ['POST', '/tokens', '', 400],
    ['GET', '/nowhere', undefined, 404],
    ['GET', '/phones/%ZZ', undefined, 400],
    ['GET', '//', undefined, 404],
    ['PUT', '/phones', '{}', 405],
    ['DELETE', '/faults/fcm', undefined, 405],
  ])('are told what is wrong with %s %s', async (method, path, body, status) => {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject({ status, message: expect.any(String) })
  })
})
