import { gzipSync } from 'node:zlib'
import { createTestToken } from '@peyk/test/database/test-store.ts'
import { makePng, sampleImages } from '@peyk/test/images.ts'
import { createTestMember } from '@peyk/test/panel-caller.ts'
import { checkAnswer } from '@peyk/test/service/check-answer.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { listAudit } from '#features/accounts/audit/list-audit.ts'

const { baseUrl, ctx, token, call } = await createTestServer()
const publicUrl = 'https://push.example.com'
const set = await createTestServer({ env: { PEYK_PUBLIC_URL: `${publicUrl}/`, PEYK_RATE_ADDRESS: '3' } })
const hosted = await createTestServer({ env: { PEYK_BASE_HOST: 'push.example' } })
const { key } = await createTestMember(ctx, 'support')

async function upload(content: Buffer | undefined, headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl}/api/images`, {
    method: 'POST',
    headers: { 'x-access-token': token, ...headers },
    ...(content && { body: new Uint8Array(content) }),
  })
  const body = await response.json()
  if (response.status === 200) checkAnswer('POST', '/api/images', body)
  return { status: response.status, body: body as { url: string; hash: string; error: { code: string } } }
}

describe('an uploaded image', () => {
  it('is served to anybody, as an image that never changes', async () => {
    const { body } = await upload(sampleImages.jpeg, { 'content-type': 'image/jpeg' })
    expect(body).toMatchObject({ url: `${baseUrl}/images/${body.hash}.jpg`, width: 40, height: 24 })
    const served = await fetch(body.url)
    expect(served.status).toBe(200)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(sampleImages.jpeg)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(sampleImages.jpeg.length),
    })
    const etag = served.headers.get('etag') as string
    for (const known of [etag, `W/${etag}, "x"`, '*']) {
      const again = await fetch(body.url, { headers: { 'if-none-match': known } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    expect((await fetch(body.url, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
    const head = await fetch(body.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(sampleImages.jpeg.length),
      '',
    ])
  })

  it('is what its bytes are, whatever it was called, and nothing else by another name', async () => {
    const page = makePng(2, 2, { text: '<html><script>alert(1)</script>' })
    const { status, body } = await upload(page, { 'content-type': 'text/html' })
    expect(status).toBe(200)
    const served = await fetch(body.url)
    expect(served.headers.get('content-type')).toBe('image/png')
    for (const other of ['html', 'svg', 'jpg', 'PNG'])
      expect((await fetch(body.url.replace(/png$/, other))).status).toBe(404)
  })

  it.each(['x.png', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}`, '..%2F..%2Fetc%2Fpasswd', '%00'])(
    'is not there by the name %s',
    async (name) => {
      const { status } = await fetch(`${baseUrl}/images/${name}`)
      expect([400, 404]).toContain(status)
    },
  )

  it('is gone when it was deleted, for a process that has not just served it', async () => {
    const { body } = await upload(makePng(2, 2, { text: 'gone' }))
    const { hash, url } = body
    expect((await call('GET', '/api/images')).body.data).toContainEqual(expect.objectContaining({ hash, url }))
    expect((await call('DELETE', `/api/images/${hash}`)).body).toEqual({ hash })
    expect((await call('DELETE', `/api/images/${hash}`)).status).toBe(404)
    expect((await fetch(url)).status).toBe(404)
  })

  it('has the address that is set, and is limited for each address', async () => {
    const response = await fetch(`${set.baseUrl}/api/images`, {
      method: 'POST',
      headers: { 'x-access-token': set.token },
      body: new Uint8Array(sampleImages.gif),
    })
    const { url } = (await response.json()) as { url: string }
    expect(url).toMatch(/^https:\/\/push\.example\.com\/images\/[0-9a-f]{64}\.gif$/)
    const load = async () => (await fetch(url.replace(publicUrl, set.baseUrl))).status
    expect([await load(), await load(), await load(), await load()]).toEqual([200, 200, 200, 429])
  })
})

describe('an upload', () => {
  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { 'content-type': 'image/png' }, 'invalid-image'],
    ['JSON', Buffer.from('{"url":"https://x.example/a.png"}'), { 'content-type': 'application/json' }, 'invalid-image'],
    ['nothing', undefined, {}, 'invalid-image'],
    ['a form', sampleImages.png, { 'content-type': 'multipart/form-data; boundary=x' }, 'unsupported-type'],
    ['a packed body', gzipSync(sampleImages.png), { 'content-encoding': 'gzip' }, 'unsupported-type'],
    ['one byte too much', Buffer.concat([sampleImages.png, Buffer.alloc(limits.imageBytes)]), {}, 'too-large'],
    ['far too much', Buffer.concat([sampleImages.png, Buffer.alloc(limits.bodyBytes)]), {}, 'too-large'],
  ])('of %s is refused', async (_name, content, headers, code) => {
    const { status, body } = await upload(content, headers as Record<string, string>)
    expect([status < 500, body.error.code]).toEqual([true, code])
  })

  it('takes a token that may send', async () => {
    const scoped = await createTestToken(ctx, ['events'])
    expect((await upload(sampleImages.png, { 'x-access-token': scoped })).body.error.code).toBe('wrong-scope')
    const sending = await createTestToken(ctx, ['push'])
    expect((await upload(sampleImages.png, { 'x-access-token': sending })).status).toBe(200)
  })

  it('is what members who send may do in the panel, and is noted there', async () => {
    const response = await fetch(`${baseUrl}/panel/api/apps/${ctx.app.label}/images`, {
      method: 'POST',
      headers: { origin: baseUrl, cookie: `peyk=${key}`, 'content-type': 'image/webp' },
      body: new Uint8Array(sampleImages.lossyWebp),
    })
    expect(response.status).toBe(200)
    const answer = (await response.json()) as { hash: string; url: string }
    checkAnswer('POST', `/panel/api/apps/${ctx.app.label}/images`, answer)
    expect(answer.url).toBe(`${baseUrl}/images/${answer.hash}.webp`)
    const { data } = await listAudit(ctx, {})
    expect(data[0]).toMatchObject({ action: 'POST /images', subject: answer.hash })
  })

  it('to a host of the app is served from there', async () => {
    const inject = (url: string, method: 'GET' | 'POST', payload?: Buffer) =>
      hosted.server.app.inject({
        ...{ method, url, headers: { host: `${hosted.ctx.app.label}.push.example`, 'x-access-token': hosted.token } },
        ...(payload && { payload }),
      })
    const { url } = (await inject('/api/images', 'POST', sampleImages.png)).json()
    expect(url).toMatch(new RegExp(`^http://${hosted.ctx.app.label}\\.push\\.example/images/`))
    expect((await inject(new URL(url).pathname, 'GET')).statusCode).toBe(200)
  })
})
