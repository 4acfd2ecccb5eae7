import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, baseUrl, token } = await createTestServer()

async function post(path: string, body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    body: body as never,
    headers: { 'x-access-token': token, ...headers },
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
}
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('every error [interface.md#7-errors]', () => {
  it('has one shape, with a request id that the header repeats', async () => {
    const { status, body, headers } = await call('POST', '/api/push/toUsers', { user: 'u', content: 'x', ttl: 'soon' })
    expect(status).toBe(400)
    expect(body).toEqual({
      error: {
        name: 'ValidationError',
        status: 400,
        code: 'invalid-request',
        requestId: headers.get('x-request-id'),
        message: expect.stringContaining('"ttl"'),
        details: { field: 'ttl' },
      },
    })
  })

  it.each([
    ['GET', '/api/nothing', 404, 'unknown-route'],
    ['PUT', '/api/push/toUsers', 404, 'unknown-route'],
    ['GET', '/api/messages/not-an-id', 404, 'not-found'],
    ['GET', '/api/segments/none', 404, 'not-found'],
    ['GET', '/api/campaigns/none', 404, 'unknown-campaign'],
    ['GET', '/api/installations/fetchById/none', 404, 'not-found'],
    ['GET', '/api/users/none/export', 404, 'not-found'],
  ])('%s %s is %i %s', async (method, path, status, code) => {
    const answer = await call(method, path)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  it('is a 400 for what is missing', async () => {
    expect((await call('POST', '/api/push/toUsers')).status).toBe(400)
  })
})

describe('a body', () => {
  it('may be a form with brackets', async () => {
    const { status, body } = await post(
      '/api/push/toUsers',
      'users[]=f1&users[]=f2&content=hi&ttl=60&silent=true&data[id]=1&notification[title]=T',
      form,
    )
    expect(status).toBe(200)
    const message = (await call('GET', `/api/messages/${body.id}`)).body
    expect(message).toMatchObject({ content: 'hi', silent: true, data: { id: '1' }, notification: { title: 'T' } })
  })

  it('may be JSON that curl -d called a form', async () => {
    expect((await post('/api/push/toUsers', '{"user":"f1","content":"x"}', form)).status).toBe(200)
  })

  it('may be a form with lists in every notation, and names of objects', async () => {
    const { status, body } = await post(
      '/api/push/toUsers',
      'user=f2&content=50%+off%21&data[list][1]=b&data[list][0]=a&data[list][]=c&notification%5Btitle%5D=%D8%B3&notification[actions][][id]=yes&notification[actions][][title]=Yes',
      form,
    )
    expect(status).toBe(200)
    expect((await call('GET', `/api/messages/${body.id}`)).body).toMatchObject({
      content: '50% off!',
      data: { list: ['a', 'b', 'c'] },
      notification: { title: 'س', actions: [{ id: 'yes', title: 'Yes' }] },
    })
  })

  it.each([
    ['parameters', 20_001, `user=f1&content=x${'&a=1'.repeat(19_999)}`],
    ['levels', 33, `user=f1&content=x&data${'[a]'.repeat(32)}=1`],
    ['as an index', 10_001, 'user=f1&content=x&data[10001]=1'],
    ['bytes', 1_048_577, `user=f1&content=x&a=${'x'.repeat(1_048_577 - 20)}`],
    ['parts of names', 80_001, `user=f1&content=x${'&a[a][a][a][a]=1'.repeat(15_999)}&b[a][a][a]=1`],
  ])('that is a form with too many %s is refused, and none of it is cut off', async (limit, size, text) => {
    const { status, body } = await post('/api/push/toUsers', text, form)
    expect([status, body.error.code, body.error.message]).toEqual([
      413,
      'too-large',
      expect.stringMatching(limit === 'bytes' ? /larger|bytes/ : new RegExp(`has ${size} ${limit}`)),
    ])
  })

  it.each([
    ['names __proto__', 'user=f1&content=x&data[__proto__][a]=1'],
    ['sends a text, then an object', 'user=f1&content=x&data=1&data[a]=2'],
    ['sends an object, then a text', 'user=f1&content=x&data[a]=2&data[]=1'],
    ['holds U+0000', 'user=f1&content=a%00b'],
  ])('that is a form and %s is refused', async (_title, text) => {
    expect((await post('/api/push/toUsers', text, form)).status).toBe(400)
  })

  it('may be packed with gzip', async () => {
    const packed = gzipSync('{"user":"f1","content":"x"}')
    expect((await post('/api/push/toUsers', packed, { ...json, 'content-encoding': 'gzip' })).status).toBe(200)
  })

  it('may start with a byte order mark', async () => {
    expect((await post('/api/push/toUsers', '\ufeff{"user":"f1","content":"x"}', json)).status).toBe(200)
  })

  it.each([
    ['is not JSON', '{"user":', json, 400],
    ['is empty', '', json, 400],
    ['is a text', '"text"', json, 400],
    ['is UTF-16', Buffer.from('{"user":"f1","content":"x"}', 'utf16le'), json, 400],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json, 400],
    ['has another type', '<x/>', { 'content-type': 'text/xml' }, 415],
    ['has another encoding', 'x', { ...json, 'content-encoding': 'br' }, 415],
    ['is not really gzip', 'x', { ...json, 'content-encoding': 'gzip' }, 400],
    [
      'is a gzip bomb',
      gzipSync(`{"user":"f1","content":"${'x'.repeat(20_000_000)}"}`),
      { ...json, 'content-encoding': 'gzip' },
      413,
    ],
    ['is too large', `{"user":"f1","content":"${'x'.repeat(1_100_000)}"}`, json, 413],
    ['is too deep', `{"user":"f1","content":"x","data":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, json, 400],
    ['is a million levels deep', '['.repeat(1_000_000), json, 400],
    ['holds U+0000', '{"user":"f1","content":"a\\u0000b"}', json, 400],
    ['holds a lone surrogate', '{"user":"f1","content":"a\\ud800b"}', json, 400],
    ['holds an infinite number', '{"user":"f1","content":"x","data":{"n":1e400}}', json, 400],
    ['holds __proto__', '{"user":"f1","content":"x","data":{"__proto__":{"a":1}}}', json, 400],
    ['has a user id that is no safe number', '{"user":9007199254740993,"content":"x"}', json, 400],
  ])('that %s is refused', async (_title, body, headers, status) => {
    const answer = await post('/api/push/toUsers', body, headers as never)
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject({ status, code: expect.any(String), message: expect.any(String) })
  })

  it.each([
    ['holds U+0000', '{"a":"\\u0000"}'],
    ['holds a lone surrogate', '{"a":"\\ud800"}'],
    ['names __proto__', '{"__proto__":{"a":1}}'],
    ['holds an infinite number', '{"a":1e400}'],
    ['is too deep', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('that has JSON in a text which %s is refused', async (_title, data) => {
    expect((await call('POST', '/api/push/toUsers', { user: 'f1', content: 'x', data })).status).toBe(400)
  })

  it('may have JSON in a text', async () => {
    const data = '{"a":"\\ud83d\\ude00","b":[{"c":1}]}'
    expect((await call('POST', '/api/push/toUsers', { user: 'f1', content: 'x', data })).status).toBe(200)
  })

  it('may hold a key named constructor', async () => {
    expect(
      (await post('/api/push/toUsers', '{"user":"f1","content":"x","data":{"constructor":"c","prototype":1}}', json))
        .status,
    ).toBe(200)
  })
})

describe('a list with more than its limit', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
  const names = (count: number) => Object.fromEntries(texts(count).map((name) => [name, 1]))
  const device = { deviceType: 'android', id: 'list-limits' }
  it.each([
    ['users', '/api/push/toUsers', (count: number) => ({ users: texts(count), content: 'x' }), 10_000],
    ['user', '/api/push/toUsers', (count: number) => ({ user: texts(count), content: 'x' }), 10_000],
    ['tags', '/api/installations/addTags', (count: number) => ({ userId: 'u', tags: texts(count) }), 1_000],
    ['subscriptions', '/api/installations', (count: number) => ({ ...device, subscriptions: texts(count) }), 200],
  ])('is refused as too large: %s', async (field, path, make, max) => {
    expect((await call('POST', path, make(max))).status).toBe(200)
    const { status, body } = await call('POST', path, make(max + 1))
    expect([status, body.error.code, body.error.message]).toEqual([
      413,
      'too-large',
      expect.stringContaining(`"${field}" has ${max + 1} `),
    ])
  })

  it.each([
    ['an installation with very many fields', '/api/installations', { ...device, ...names(80_000) }],
    ['very many values', '/api/push/toUsers', { user: 'u', content: 'x', values: names(60_000) }],
    [
      'very many buttons',
      '/api/push/toUsers',
      { user: 'u', content: 'x', notification: { actions: Array(60_000).fill({}) } },
    ],
  ])('is refused as too large: %s', async (_what, path, sent) => {
    const { status, body } = await call('POST', path, sent)
    expect([status, body.error.code]).toEqual([413, 'too-large'])
  })
})

describe('paths', () => {
  it('are matched without regard to case', async () => {
    expect((await call('POST', '/API/Push/TOUSERS', { user: 'u', content: 'x' })).status).toBe(200)
    await call('GET', '/api/Installations/ADDTAG/CaseUser/CaseTag')
    expect((await call('GET', '/api/installations/tags/CaseUser')).body).toEqual(['CaseTag'])
  })
})

describe('an idempotency key', () => {
  it('makes a repeated send one send', async () => {
    const send = (body: object, key = 'send-1') => call('POST', '/api/push/toUsers', body, { 'idempotency-key': key })
    const first = await send({ user: 'idem', content: 'x' })
    const again = await send({ user: 'idem', content: 'x' })
    expect(again.body).toEqual(first.body)
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ])
    expect((await send({ user: 'idem', content: 'other' })).status).toBe(422)
    expect((await call('GET', '/api/messages?user=idem')).body.data).toHaveLength(1)
  })

  it('may stand in the body, and works for every kind of write', async () => {
    const track = () =>
      call('POST', '/api/installations/track', { userId: 'idem', eventName: 'Once', idempotencyKey: 'track-1' })
    expect((await track()).body.id).toBe((await track()).body.id)
    expect((await call('GET', '/api/events?userId=idem')).body.data).toHaveLength(1)
    const tag = () =>
      call('POST', '/api/installations/addTags', { userId: 'idem', tags: ['t'] }, { 'idempotency-key': 'tag-1' })
    await tag()
    await call('POST', '/api/installations/removeTags', { userId: 'idem', tags: ['t'] })
    await tag()
    expect((await call('GET', '/api/installations/tags/idem')).body).toEqual([])
  })

  it('has one effect when five copies come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        call('POST', '/api/push/toUsers', { user: 'five', content: 'x' }, { 'idempotency-key': 'five' }),
      ),
    )
    for (const answer of answers) expect([200, 409]).toContain(answer.status)
    expect((await call('GET', '/api/messages?user=five')).body.data).toHaveLength(1)
  })
})

describe('limits [interface.md#8-limits]', () => {
  it('are told in headers', async () => {
    const { headers } = await call('GET', '/api/installations/tags')
    expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0)
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(Number(headers.get('ratelimit-limit')))
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  })

  it('count ttl in seconds from the request', async () => {
    const before = Date.now()
    const { body } = await call('POST', '/api/push/toUsers', { user: 'u', content: 'x', ttl: 60 })
    const after = Date.now()
    const { expireAt } = (await call('GET', `/api/messages/${body.id}`)).body
    expect(expireAt).toBeGreaterThanOrEqual(before + 60_000)
    expect(expireAt).toBeLessThanOrEqual(after + 60_000)
  })
})
