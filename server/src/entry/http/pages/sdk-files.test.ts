import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addSdkFiles } from './sdk-files.ts'

const { baseUrl } = await createTestServer({ env: { PEYK_MODE: 'development' } })
const production = await createTestServer()
const version: string = (await import('@peyk/sdk/package.json', { with: { type: 'json' } })).default.version
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

  it('is kept for good under its version and hash, and every version leads to it', async () => {
    const current = await (await fetch(`${production.baseUrl}/sdk/peyk.js`)).text()
    const forGood = new RegExp(`/sdk/${version}-[0-9a-f]{8}/peyk\\.js$`)
    for (const [other, url, cached] of [
      [version, forGood, 'public, max-age=31536000, immutable'],
      ['0.0.1', /\/sdk\/peyk\.js$/, 'public, no-cache'],
      [`${version}-00000000`, /\/sdk\/peyk\.js$/, 'public, no-cache'],
      ['2.0.0-beta.1', /\/sdk\/peyk\.js$/, 'public, no-cache'],
    ] as const) {
      const asked = `${production.baseUrl}/sdk/${other}/peyk.js`
      const redirect = await fetch(asked, { redirect: 'manual' })
      expect(redirect.status).toBe(302)
      expect(redirect.headers.get('cache-control')).toBe('public, max-age=60')
      expect(redirect.headers.get('access-control-allow-origin')).toBe('*')
      expect(redirect.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      const kept = await fetch(asked)
      expect(kept.url).toMatch(url)
      expect(kept.headers.get('cache-control')).toBe(cached)
      expect(await kept.text()).toBe(current)
    }
  })

  it('has another address when its content changes, also under the same version', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'peyk-sdk-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'dist'))
    await writeFile(join(folder, 'package.json'), '{"version":"1.2.3"}')
    await writeFile(join(folder, 'dist/peyk-sw.js'), 'self')
    const serve = async (code: string) => {
      await writeFile(join(folder, 'dist/peyk.js'), code)
      const app = Fastify()
      addSdkFiles(app, { config: { mode: 'production' } }, pathToFileURL(`${folder}/`))
      const addressOf = async (name: string) =>
        new URL(String((await app.inject(`/sdk/1.2.3/${name}`)).headers.location), `http://x/sdk/1.2.3/${name}`)
          .pathname
      return { app, script: await addressOf('peyk.js'), worker: await addressOf('peyk-sw.js') }
    }
    const [before, after] = [await serve('one'), await serve('two')]
    expect(before.script).toMatch(/^\/sdk\/1\.2\.3-[0-9a-f]{8}\/peyk\.js$/)
    expect(after.script).not.toBe(before.script)
    expect(after.worker).toBe(before.worker)
    expect((await before.app.inject(before.script)).body).toBe('one')
    expect((await after.app.inject(after.script)).body).toBe('two')
    expect((await after.app.inject(before.script)).headers.location).toBe('../peyk.js')
  })

  it('lets its service worker have any scope of its origin', async () => {
    const answer = await get('/sdk/peyk-sw.js')
    expect(answer.headers.get('service-worker-allowed')).toBe('/')
  })

  it.each([
    '/sdk/',
    '/sdk/package.json',
    '/sdk/..%2fpackage.json',
    '/sdk/src/peyk.ts',
    '/sdk/dist/peyk.js',
    '/sdk/0.1.0/..%2fbuild.js',
  ])('is all there is: %s is not found', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
