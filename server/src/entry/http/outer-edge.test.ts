import { Writable } from 'node:stream'
import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '#base/config.ts'
import { createLogger } from '#base/log.ts'
import { createHttpServer } from './server.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const token = await createTestToken(ctx)
const lines: string[] = []
const to = new Writable({ write: (line, _, done) => done(void lines.push(String(line)) as never) })
const log = createLogger({ level: 'debug', isTerminal: false, to })
const config = loadConfig({ PEYK_MODE: 'production', PEYK_METRICS_TOKEN: 'of metrics', PEYK_TRUST_PROXY: '127.0.0.1' })
const demo = { appId: ctx.app.label, accessToken: token, clientKey: 'c'.repeat(40) }
const { app, close } = await createHttpServer({ ...ctx, config, log, demo })
afterAll(close)

const external = '203.0.113.9'
const get = (url: string, headers: Record<string, string> = {}, remoteAddress?: string) =>
  app.inject({ method: 'GET', url, headers, ...(remoteAddress !== undefined && { remoteAddress }) })

describe('a token in an odd place', () => {
  it.each([
    ['behind an ampersand', (text: string) => `/api/app&access_token=${text}`],
    ['behind a semicolon', (text: string) => `/api/app;access_token=${text}`],
    ['in the path', (text: string) => `/api/app/${text}`],
    ['as an id', (text: string) => `/api/messages/${text}`],
    ['encoded twice', (text: string) => `/api/app${encodeURIComponent(encodeURIComponent(`?access_token=${text}`))}`],
    ['in a path of the panel', (text: string) => `/panel/api/${text}`],
    ['at the end of a long path', (text: string) => `/api/${'x'.repeat(170)}/${text}`],
  ])('%s is neither logged nor told again', async (_, url) => {
    lines.length = 0
    const { body, statusCode } = await get(url(token), { 'x-access-token': token })
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(lines.length).toBeGreaterThan(0)
    // A part of it is as bad.
    expect(`${body} ${lines.join(' ')}`).not.toContain(token.slice(0, 12))
  })
})

describe('a token in any place', () => {
  const json = { 'content-type': 'application/json', 'x-access-token': token }
  const post = (url: string, payload: string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, headers: { ...json, ...headers }, payload })
  const secret = 'fedcba9876543210fedcba9876543210fedcba98'
  const encoded = [...secret].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')
  const escaped = [...secret].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('')
  const about = (value: unknown) => JSON.stringify(value)

  it.each<[string, () => Promise<{ body: string; statusCode: number; headers: object }>]>([
    ['a wrong value of the body', () => post('/api/installations/addTags', about({ userId: 'sara', tags: secret }))],
    [
      'a wrong value that is cut',
      () => post('/api/installations/addTags', about({ userId: 'sara', tags: `${'x'.repeat(60)}${secret}` })),
    ],
    [
      'a name of the body',
      () =>
        post('/api/push/toUsers', about({ user: 'sara', content: 'x', notification: { actions: [{ [secret]: 1 }] } })),
    ],
    ['details', () => post('/api/push/toUsers', about({ user: 'sara', content: 'x', templateId: secret }))],
    ['a device type', () => post('/api/installations', about({ deviceType: secret }))],
    ['an id that is cut', () => get(`/api/series/${'x'.repeat(40)}${secret}`, json)],
    ['an id in capitals', () => get(`/api/series/${secret.toUpperCase()}`, json)],
    ['an id with a digit before it', () => get(`/api/series/a${secret}`, json)],
    ['an id with as many digits as a hash', () => get(`/api/series/${secret}${'0'.repeat(24)}`, json)],
    ['an id with the name of an image', () => get(`/images/${'0'.repeat(24)}${secret}`)],
    ['a query', () => get(`/api/events?cursor=${secret}`, json)],
    ['a query, encoded', () => get(`/api/events?cursor=${encodeURIComponent(encoded)}`, json)],
    [
      'a value that is cut, in a form',
      () =>
        post('/api/push/toUsers', `user=sara&content=x&ttl=${'x'.repeat(60)}${encoded}`, {
          'content-type': 'application/x-www-form-urlencoded',
        }),
    ],
    [
      'a value that is cut, with escapes',
      () => post('/api/push/toUsers', `{"user":"sara","content":"x","ttl":"${'x'.repeat(60)}${escaped}"}`),
    ],
    [
      'the name of a part that is cut',
      () =>
        post(
          '/api/containers/updateGlobalPromoCodes',
          `--cut\r\nContent-Disposition: form-data; name="${'x'.repeat(60)}${secret}"; filename="x"\r\n\r\nA-1\r\n--cut--\r\n`,
          { 'content-type': 'multipart/form-data; boundary=cut' },
        ),
    ],
    ['the id of the request', () => get('/api/series/none', { ...json, 'x-request-id': secret })],
    ['the id of the request, with more', () => get('/api/series/none', { ...json, 'x-request-id': `req-${secret}` })],
    ['the encoding', () => post('/api/push/toUsers', '{}', { 'content-encoding': secret })],
    ['the origin', () => get('/panel/api/session', { origin: `https://${secret}.example` })],
    [
      'a segment',
      () =>
        post(
          '/api/push/byQuery',
          about({ content: 'x', segment: { all: [{ name: secret, operator: 'x', value: 1 }] } }),
        ),
    ],
  ])('such as %s is in no error and in no log', async (_, ask) => {
    lines.length = 0
    const { body, headers, statusCode } = await ask()
    expect(statusCode).toBeGreaterThanOrEqual(400)
    const seen = `${body} ${JSON.stringify(headers)} ${lines.join(' ')}`.toLowerCase()
    expect(lines.length).toBeGreaterThan(0)
    for (let at = 0; at + 8 <= secret.length; at++) expect(seen).not.toContain(secret.slice(at, at + 8))
  })

  it('is in no answer of the metrics', async () => {
    await get(`/api/${secret}`, json)
    const { body } = await get('/metrics', { authorization: 'Bearer of metrics' })
    expect(body).toContain('peyk_http_request_seconds')
    expect(body).not.toContain(secret)
  })

  it('stays in answers that are no errors', async () => {
    const { body, statusCode } = await post('/api/installations', about({ deviceType: 'web', uniqueId: secret }))
    expect(statusCode).toBe(200)
    expect(body).toContain(secret)
  })
})

describe('a page of another site', () => {
  const origin = 'https://elsewhere.example'

  it.each(['/metrics', '/try/app.json', '/health', '/ready', '/docs/json', '/panel/api/session'])(
    'is not let into %s',
    async (url) => {
      expect((await get(url, { origin })).headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  it('may call the API with a token, and reads its errors', async () => {
    for (const url of ['/api/app', '/API/app', '/api/nothing']) {
      expect((await get(url, { origin })).headers['access-control-allow-origin']).toBe(origin)
    }
  })
})

describe('metrics', () => {
  const openOnly = async (env: Record<string, string> = {}) => {
    const server = await createHttpServer({ ...ctx, config: loadConfig({ PEYK_MODE: 'production', ...env }), log })
    onTestFinished(server.close)
    return async (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
      (await server.app.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })).statusCode
  }

  it('are open to this machine only, while they have no token', async () => {
    const ask = await openOnly()
    for (const host of ['localhost:8090', '127.0.0.1:8090', '[::1]:8090', 'LOCALHOST', '127.1.2.3'])
      expect(await ask({ host })).toBe(200)
    expect(await ask({}, '::1')).toBe(200)
    expect(await ask({}, external)).toBe(401)
  })

  it.each([
    ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-server', 'forwarded', 'x-real-ip'],
    ...['via', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'],
  ])('are closed to what a proxy passes on with %s', async (name) => {
    const ask = await openOnly()
    expect(await ask({ [name]: '127.0.0.1' })).toBe(401)
  })

  it.each([
    'evil.example',
    'evil.example:8090',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    'localhost.',
  ])('are closed to a page whose name %s was rebound to this machine', async (host) => {
    const ask = await openOnly()
    expect(await ask({ host })).toBe(401)
  })

  it.each(['127.0.0.1', '127.0.0.0/8', 'loopback', '10.0.0.1,127.0.0.1', '127.0.0.0/255.0.0.0'])(
    'are closed to the proxy %s, also when it sets no header',
    async (named) => {
      const ask = await openOnly({ PEYK_TRUST_PROXY: named })
      expect(await ask()).toBe(401)
    },
  )

  it('stay open to this machine beside a proxy elsewhere', async () => {
    const ask = await openOnly({ PEYK_TRUST_PROXY: '10.0.0.1, 10.1.0.0/16, fd00::/8' })
    expect(await ask()).toBe(200)
  })

  it('are asked for with their token where they have one, on this machine too', async () => {
    for (const address of [external, '127.0.0.1', '::1']) {
      expect((await get('/metrics', {}, address)).statusCode).toBe(401)
      for (const [given, status] of [
        ['of metrics', 200],
        ['of metric', 401],
        ['of metricz', 401],
      ] as const) {
        const headers = { authorization: `Bearer ${given}` }
        expect((await get('/metrics', headers, address)).statusCode).toBe(status)
      }
    }
  })
})

it('sending without a token is for the page on this machine, whatever the headers say', async () => {
  const send = (remoteAddress: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/try/send',
      remoteAddress,
      headers: { host: 'localhost:8090', origin: 'http://localhost:8090', ...headers },
      payload: { user: 'sara', content: 'Hello' },
    })
  expect((await send('127.0.0.1')).statusCode).toBe(200)
  expect((await send(external)).statusCode).toBe(403)
  expect((await send('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(403)
})

describe('every answer', () => {
  it.each(['/api/app', '/health', '/api/nothing', '/panel/api/session', '/try/app.json'])(
    'of %s is taken for what it says it is',
    async (url) => {
      const { headers } = await get(url, { 'x-access-token': token })
      expect(headers['content-type']).toContain('application/json')
      expect(headers['x-content-type-options']).toBe('nosniff')
    },
  )

  it('over TLS asks for TLS from then on, and no other does', async () => {
    expect((await get('/health')).headers).not.toHaveProperty('strict-transport-security')
    const secured = await get('/health', { 'x-forwarded-proto': 'https' })
    expect(secured.headers['strict-transport-security']).toBe('max-age=31536000')
  })
})
