import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTestServer } from '../../../../test/helpers/test-server.ts'

const { baseUrl } = await createTestServer({ env: { PEYK_MODE: 'development' } })
const production = await createTestServer()
const version: string = (await import('../../../../sdk/package.json', { with: { type: 'json' } })).default.version
const get = (path: string, headers: Record<string, string> = {}) => fetch(baseUrl + path, { headers })

describe('the client library', () => {
  it.each(['peyk.js', 'peyk.mjs', 'peyk-sw.js'])('is served as %s, to pages of any origin', async (name) => {
    const answer = await get(`/sdk/${name}`, { origin: 'https://shop.example' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect((await answer.text()).length).toBeGreaterThan(1_000)
  })

  it('is small', async () => {
    const size = async (name: string) => {
      const { rawPayload } = await production.server.app.inject({
        url: `/sdk/${name}`,
        headers: { 'accept-encoding': 'gzip' },
      })
      expect(gunzipSync(rawPayload).length).toBeGreaterThan(rawPayload.length)
      return rawPayload.length
    }
    expect(await size('peyk.js')).toBeLessThan(25_000)
    expect(await size('peyk-sw.js')).toBeLessThan(5_000)
  })

  it('is asked for again, and not sent again when it has not changed', async () => {
    const first = await get('/sdk/peyk.js')
    expect(first.headers.get('cache-control')).toBe('public, no-cache')
    const again = await get('/sdk/peyk.js', { 'if-none-match': first.headers.get('etag') as string })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  it('is kept for good under its version, and there are no others', async () => {
    const kept = await fetch(`${production.baseUrl}/sdk/${version}/peyk.js`)
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await kept.text()).toBe(await (await get('/sdk/peyk.js')).text())
    expect((await get('/sdk/0.0.1/peyk.js')).status).toBe(404)
  })

  it('lets its service worker have any scope of its origin', async () => {
    const answer = await get('/sdk/peyk-sw.js')
    expect(answer.headers.get('service-worker-allowed')).toBe('/')
  })

  it.each(['/sdk/', '/sdk/package.json', '/sdk/..%2fpackage.json', '/sdk/src/peyk.ts', '/sdk/0.1.0/..%2fbuild.js'])(
    'is all there is: %s is not found',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )
})
