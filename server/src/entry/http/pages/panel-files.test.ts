import { createTestServer } from '@peyk/test/service/test-server.ts'
import { beforeAll, describe, expect, it } from 'vitest'

const { baseUrl } = await createTestServer()
const load = (path: string, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, { redirect: 'manual', headers })

beforeAll(async () => {
  const { buildPanel } = await import(new URL('../../../../../panel/build.js', import.meta.url).href)
  await buildPanel()
})

describe('the panel', () => {
  it('is one page for all its paths, with a nonce of its own and no inline script', async () => {
    const pages = await Promise.all(['/panel/', '/panel/demo/users/a.b', '/panel/enter'].map((path) => load(path)))
    const nonces = pages.map(
      (page) => /'nonce-([\w-]{22})'/.exec(page.headers.get('content-security-policy') ?? '')?.[1],
    )
    expect(new Set(nonces).size).toBe(3)
    for (const [index, page] of pages.entries()) {
      const html = await page.text()
      expect(page.status).toBe(200)
      expect(html).toContain(`content="${nonces[index]}"`)
      expect(html).not.toContain('__NONCE__')
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:/)
      const policy = page.headers.get('content-security-policy') as string
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
      expect(policy).not.toContain('unsafe')
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
    }
  })

  it('has the icon of the mode that the service runs in', async () => {
    const development = await createTestServer({ env: { PEYK_MODE: 'development' } })
    const iconsOf = async (url: string) =>
      [...(await (await fetch(`${url}/panel/`)).text()).matchAll(/rel="icon" data-mode="(\w+)" href="([^"]+)"/g)].map(
        ([, mode, href]) => [mode, href?.includes('icon-development')],
      )
    expect(await iconsOf(baseUrl)).toEqual([['production', false]])
    expect(await iconsOf(development.baseUrl)).toEqual([['development', true]])
  })

  it('is found without its slash', async () => {
    const answer = await load('/panel')
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/panel/'])
  })

  it('loads files that never change, packed as the browser takes them', async () => {
    const html = await (await load('/panel/')).text()
    const script = /src="(\/panel\/assets\/[^"]+\.js)"/.exec(html)?.[1] as string
    const plain = await load(script, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const content = await plain.text()
    for (const [accepted, encoding] of [
      ['gzip, deflate', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const answer = await load(script, { 'accept-encoding': accepted })
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': encoding,
      })
      expect(await answer.text()).toBe(content)
    }
  })

  it.each(['none.js', '../index.html', '..%2findex.html', '..%2f..%2fpackage.json', '%2e%2e/build.js', 'x/y.js'])(
    'has no file %s',
    async (name) => {
      expect((await load(`/panel/assets/${name}`)).headers.get('content-type')).not.toContain('javascript')
    },
  )

  it('answers what it does not know under its API as an error, and lets no other page read it', async () => {
    const answer = await load('/panel/api/nothing', { origin: 'https://evil.example' })
    expect(answer.status).toBe(404)
    expect(((await answer.json()) as { error: { code: string } }).error.code).toBe('unknown-route')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
