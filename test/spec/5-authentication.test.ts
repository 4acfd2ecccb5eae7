import { request } from 'node:http'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestToken } from '../helpers/database/test-store.ts'
import { poll } from '../helpers/runner/poll.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, token, ctx, store, clientKey } = await createTestServer({ env: { PEYK_BASE_HOST: 'push.example' } })
const url = (query = '') => `${baseUrl}/api/installations/tags${query}`
const status = async (query: string, headers: Record<string, string> = {}) =>
  (await fetch(url(query), { headers })).status

/** fetch() does not let a caller choose the Host. */
function statusForHost(host: string, accessToken = token): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    const outgoing = request(
      { hostname, port, path: '/api/installations/tags', headers: { host, 'x-access-token': accessToken } },
      (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      },
    )
    outgoing.on('error', reject).end()
  })
}

describe('the access token [interface.md#5-authentication]', () => {
  it('comes in the query, in X-Access-Token or as a bearer token', async () => {
    expect(await status(`?access_token=${token}`)).toBe(200)
    expect(await status('', { 'x-access-token': token })).toBe(200)
    expect(await status('', { authorization: `Bearer ${token}` })).toBe(200)
  })

  it('is needed, must be known, and must be one', async () => {
    expect(await status('')).toBe(401)
    expect(await status('?access_token=')).toBe(401)
    expect(await status(`?access_token=${'0'.repeat(40)}`)).toBe(401)
    expect(await status('?access_token=short')).toBe(401)
    expect(await status(`?access_token=${token}`, { 'x-access-token': clientKey })).toBe(401)
  })

  it('is refused when it is revoked, within a second, or expired', async () => {
    const revoked = await createTestToken(ctx)
    expect(await status('', { 'x-access-token': revoked })).toBe(200)
    await store.query(sql`update access_tokens set revoked_at = now() where hash = sha256(${revoked}::bytea)`)
    await poll(() => status('', { 'x-access-token': revoked })).toBe(401)
    const expired = await createTestToken(ctx)
    await store.query(
      sql`update access_tokens set expires_at = now() - interval '1 second' where hash = sha256(${expired}::bytea)`,
    )
    expect(await status('', { 'x-access-token': expired })).toBe(401)
  })

  it('opens what its scope covers', async () => {
    const call = async (
      scope: 'push' | 'tags' | 'events' | 'promo' | 'client' | 'read',
      method: string,
      path: string,
    ) => {
      const scoped = await createTestToken(ctx, [scope])
      return (await fetch(baseUrl + path, { method, headers: { 'x-access-token': scoped } })).status
    }
    expect(await call('tags', 'GET', '/api/installations/tags')).toBe(200)
    expect(await call('read', 'GET', '/api/installations/tags')).toBe(200)
    expect(await call('read', 'GET', '/api/installations/addTag/u/t')).toBe(403)
    expect(await call('events', 'GET', '/api/installations/tags')).toBe(403)
    expect(await call('client', 'POST', '/api/push/toUsers')).toBe(403)
    expect(await call('push', 'POST', '/api/push/toUsers')).toBe(400)
    expect(await call('promo', 'POST', '/api/push/toUsers')).toBe(403)
  })

  it('belongs to the app that the host names', async () => {
    const other = await createTestApp(store)
    expect(await statusForHost(`${ctx.app.label}.push.example`)).toBe(200)
    expect(await statusForHost(`${ctx.app.label}.push.example:8090`)).toBe(200)
    expect(await statusForHost(`${other.app.label}.push.example`)).toBe(401)
    for (const ending of ['.', '.:8090', '..', '.:80', ':', '.:'])
      expect(await statusForHost(`${other.app.label}.PUSH.example${ending}`), ending).toBe(401)
    expect(await statusForHost(`${ctx.app.label}.push.example.`)).toBe(200)
    expect(await statusForHost('sandbox.push.example')).toBe(200)
    expect(await statusForHost('localhost')).toBe(200)
  })

  it('of a client may be limited to origins', async () => {
    const limited = await createTestToken(ctx, ['client'], ['https://shop.example'])
    const call = async (origin: string) => {
      const headers = { 'x-access-token': limited, origin, 'content-type': 'application/json' }
      return await fetch(`${baseUrl}/api/installations`, { method: 'POST', headers, body: '{"deviceType":"web"}' })
    }
    const allowed = await call('https://shop.example')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example'])
    expect((await call('https://evil.example')).status).toBe(403)
  })

  it('is not needed for a preflight', async () => {
    const response = await fetch(`${baseUrl}/api/push/toUsers`, {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE')
  })
})
