import { createTestServer } from '@peyk/test/service/test-server.ts'
import { beforeAll, describe, expect, it } from 'vitest'

const { baseUrl } = await createTestServer()
const load = (path: string) => fetch(baseUrl + path, { redirect: 'manual' })

beforeAll(async () => {
  const { buildSite } = await import(new URL('../../../../../site/build.js', import.meta.url).href)
  await buildSite()
})

describe('the page of the API reference', () => {
  it('has a nonce of its own, and nothing inline', async () => {
    const pages = await Promise.all([load('/docs/'), load('/docs/')])
    const policies = pages.map(({ headers }) => headers.get('content-security-policy') as string)
    const nonces = policies.map((policy) => /'nonce-([\w-]{22})'/.exec(policy)?.[1])
    expect(new Set(nonces).size).toBe(2)
    for (const [index, page] of pages.entries()) {
      const html = await page.text()
      expect(html).toContain(`content="${nonces[index]}"`)
      expect(html).not.toContain('__NONCE__')
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|javascript:/)
    }
  })

  it('lets nothing in from elsewhere, and nothing out', async () => {
    const policy = (await load('/docs/')).headers.get('content-security-policy') as string
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
    expect(policy).toContain("connect-src 'self'; font-src 'self'")
    expect(policy.match(/[^;]*unsafe[^;]*/g)).toEqual([" style-src-attr 'unsafe-inline'"])
    expect(policy).not.toMatch(/https?:|\*/)
  })

  it('loads files of its own only, which name no other origin', async () => {
    const html = await (await load('/docs/')).text()
    expect(html).not.toMatch(/(?:src|href)="(?:https?:|\/\/)/)
    const names = [...html.matchAll(/"(assets\/[^"]+)"/g)].map(([, name]) => name as string)
    expect(names.length).toBeGreaterThan(6)
    for (const name of names) {
      const answer = await load(`/docs/${name}`)
      expect([name, answer.status]).toEqual([name, 200])
      expect(answer.headers.get('cache-control')).toContain('immutable')
      // What is in Scalar and not called for is kept from calling by the policy.
      if (!/scalar-|\.woff2$/.test(name))
        expect(await answer.text()).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    }
  })

  it('is found without its slash, and has no other files', async () => {
    expect((await load('/docs')).headers.get('location')).toBe('/docs/')
    for (const path of ['assets/none.js', 'assets/..%2findex.html', 'assets/..%2f..%2f..%2fpackage.json'])
      expect((await load(`/docs/${path}`)).status).toBe(404)
  })
})

it('a refused request leads to what its error means', async () => {
  const answer = await load('/api/messages')
  expect(answer.headers.get('link')).toBe('</guide/errors/#no-token>; rel="help"')
  expect(Object.keys(((await answer.json()) as { error: object }).error)).not.toContain('link')
})
