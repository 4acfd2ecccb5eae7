import { createTestServer } from '@peyk/test/service/test-server.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorCatalogue } from '#base/errors.ts'

const { baseUrl } = await createTestServer()
const load = (path: string, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, { redirect: 'manual', headers })

beforeAll(async () => {
  const { buildSite } = await import(new URL('../../../../../site/build.js', import.meta.url).href)
  await buildSite()
})

describe('the guide', () => {
  it('has a strict policy', async () => {
    for (const path of ['/guide/', '/guide/errors/', '/guide/internals/', '/guide/internals/decisions/']) {
      const answer = await load(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const policy = answer.headers.get('content-security-policy') as string
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    }
  })

  it('has what every error leads to', async () => {
    const html = await (await load('/guide/errors/')).text()
    for (const code of Object.keys(errorCatalogue)) expect(html).toContain(` id="${code}"`)
  })

  it('is found without its slashes', async () => {
    expect((await load('/guide')).headers.get('location')).toBe('/guide/')
    expect((await load('/guide/errors?a=b')).headers.get('location')).toBe('/guide/errors/?a=b')
  })

  it('says so when a page is not there', async () => {
    for (const name of ['none', 'assets', '..%2f..%2f', 'index.html', 'internals/none', 'internals/decisions/none']) {
      const answer = await load(`/guide/${name}/`)
      expect([name, answer.status]).toEqual([name, 404])
      expect(await answer.text()).toContain('No such page')
    }
    expect((await load('/guide/assets/..%2findex.html')).status).toBe(404)
  })

  it('is sent packed as the browser takes it', async () => {
    const plain = await load('/guide/errors/', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const packed = await load('/guide/errors/', { 'accept-encoding': 'br, gzip' })
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(await packed.text()).toBe(await plain.text())
    const html = await (await load('/guide/')).text()
    const image = /src="\.\/(assets\/first-minute[^"]+\.webp)"/.exec(html)?.[1] as string
    const answer = await load(`/guide/${image}`, { 'accept-encoding': 'br, gzip' })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })
})
