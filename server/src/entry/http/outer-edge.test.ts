import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp, createTestStore, createTestToken } from '../../../../test/helpers/database/test-store.ts'
import { loadConfig } from '../../base/config.ts'
import { createHttpServer } from './server.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const token = await createTestToken(ctx)
const lines: string[] = []
const log = pino(
  { level: 'debug' },
  new Writable({ write: (line, _, done) => done(void lines.push(String(line)) as never) }),
)
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
  it('are open to this machine only', async () => {
    expect((await get('/metrics')).statusCode).toBe(200)
    expect((await get('/metrics', {}, '::1')).statusCode).toBe(200)
    expect((await get('/metrics', {}, external)).statusCode).toBe(401)
  })

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])(
    'are closed to what a proxy passes on with %s',
    async (name) => {
      expect((await get('/metrics', { [name]: '127.0.0.1' })).statusCode).toBe(401)
    },
  )

  it('are open elsewhere with the token', async () => {
    for (const [given, status] of [
      ['of metrics', 200],
      ['of metric', 401],
      ['of metricz', 401],
    ] as const) {
      const headers = { authorization: `Bearer ${given}` }
      expect((await get('/metrics', headers, external)).statusCode).toBe(status)
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
