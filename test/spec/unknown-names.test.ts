import { readFileSync } from 'node:fs'
import * as contract from '@peyk/contract'
import { createCampaign } from '@peyk/server/features/campaigns/create-campaign.ts'
import { addInstallation, countRows } from '@peyk/server/features/messages/installation-rows.test-support.ts'
import { describe, expect, it } from 'vitest'
import { createTestMember, panelCaller } from '../helpers/panel-caller.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, ctx, token, call, callAsClient } = await createTestServer()
await addInstallation(ctx, 'sara')
const asAdmin = panelCaller(baseUrl, (await createTestMember(ctx, 'admin')).key)
const panel = `/apps/${ctx.app.label}`

describe('endpoints of the specification', () => {
  it('ignore a field that they do not know, and name it with the nearest one that they do', async () => {
    const body = {
      user: 'sara',
      content: 'Hi',
      notification: { title: 'T', titel: 'x', actions: [{ ids: 'a' }] },
      foo: 1,
    }
    expect((await call('POST', '/api/push/toUsers?dryrun=true', body)).body).toEqual({
      id: expect.any(String),
      count: 1,
      warnings: [
        '"notification.titel" is not a known field and was ignored. Did you mean "notification.title"?',
        '"notification.actions[0].ids" is not a known field and was ignored. Did you mean "notification.actions[0].id"?',
        '"foo" is not a known field and was ignored.',
        '"dryrun" is not a known query parameter and was ignored. Did you mean "dryRun"?',
      ],
      unknownFields: [
        { field: 'notification.titel', didYouMean: 'notification.title' },
        { field: 'notification.actions[0].ids', didYouMean: 'notification.actions[0].id' },
        { field: 'foo' },
        { field: 'dryrun', didYouMean: 'dryRun' },
      ],
    })
  })

  it('say nothing when they know all names, and of objects whose names are free', async () => {
    const body = {
      ...{ user: 'sara', content: 'Hi {{ values.order }}', values: { order: 1 }, data: { any: { thing: 1 } } },
      contents: { fa: { content: 'سلام' } },
    }
    const { body: answer } = await call('POST', '/api/push/toUsers', body)
    expect(answer).toEqual({ id: expect.any(String), count: 1 })
  })

  it('name them on the element of an array, and in a dry run', async () => {
    const elements = [
      { user: 'sara', content: 'Hi' },
      { user: 'sara', contents: { fa: { content: 'y', contnet: 'x' } }, content: 'Hi' },
    ]
    const found = [{ field: 'contents.fa.contnet', didYouMean: 'contents.fa.content' }]
    const sent = (await call('POST', '/api/push/toUsers', elements)).body
    expect(sent[0]).toEqual({ id: expect.any(String), count: 1 })
    expect(sent[1]).toMatchObject({ count: 1, warnings: [expect.stringContaining('contnet')], unknownFields: found })
    const planned = (await call('POST', '/api/push/notifyUsers?dryRun=true', elements)).body
    expect(planned[0]).not.toHaveProperty('unknownFields')
    expect(planned[1]).toMatchObject({ dryRun: true, unknownFields: found })
    const query = (await call('POST', '/api/push/toUsers?campain=x', elements)).body
    expect(query.map((each: { unknownFields: object[] }) => each.unknownFields.length)).toEqual([1, 2])
    const group = { target: {}, content: 'Hi', trackID: 'spring' }
    expect((await call('POST', '/api/push/byQuery?dryRun=true', group)).body).toMatchObject({
      unknownFields: [{ field: 'trackID', didYouMean: 'trackId' }],
    })
  })

  it.each([
    ['POST', '/api/installations/addTags', { userId: 'sara', tags: ['a'] }],
    ['POST', '/api/installations/addValueTag', { userId: 'sara', tag: 'a', value: 'b' }],
    ['POST', '/api/installations/removeTags', { userId: 'sara', tags: ['a'] }],
    ['POST', '/api/installations/removeValueTag', { userId: 'sara', tag: 'a' }],
    ['POST', '/api/installations/track', { userId: 'sara', eventName: 'x' }],
    ['POST', '/api/installations/trackPurchase', { userId: 'sara', eventName: 'x', revenue: 1 }],
    ['POST', '/api/installations/trackRevenue', { userId: 'sara', revenue: 1 }],
    ['POST', '/api/installations/attributes', { userId: 'sara', attributes: { a: 1 } }],
    ['POST', '/api/push/notifyToUsers', { user: 'sara', content: 'x' }],
  ])('%s %s names them beside its answer', async (method, path, body) => {
    const plain = await call(method, path, body)
    expect([plain.status, plain.body.warnings, plain.body.unknownFields]).toEqual([200, undefined, undefined])
    const { status, body: answer } = await call(method, `${path}?verbose=1`, { ...body, colour: 'red' })
    expect([status, answer.warnings.length]).toEqual([200, 2])
    expect(answer.unknownFields).toEqual([{ field: 'colour' }, { field: 'verbose' }])
  })

  it('add to the warnings that there are', async () => {
    const eventTime = Math.floor(Date.now() / 1000)
    const { body } = await call('POST', '/api/installations/track', { userId: 'sara', eventName: 'x', eventTime, x: 1 })
    expect(body.warnings).toEqual([expect.stringContaining('seconds'), expect.stringContaining('"x"')])
  })

  it('name them where the request is a GET, and by the number of the element where the answer is one object', async () => {
    const tagged = await call('GET', `/api/installations/addTag/sara/vip?access_token=${token}&userid=x`)
    expect(tagged.body).toMatchObject({ count: 1, unknownFields: [{ field: 'userid' }] })
    const events = [
      { userId: 'sara', eventName: 'x' },
      { userId: 'sara', eventName: 'x', eventDate: {} },
    ]
    expect((await call('POST', '/api/installations/trackBulk', events)).body).toMatchObject({
      ...{ queued: true, n: 2, warnings: [expect.stringContaining('Element 1: "eventDate"')] },
      unknownFields: [{ field: '[1].eventDate', didYouMean: '[1].eventData' }],
    })
  })

  it('name parameters and parts of an upload of codes', async () => {
    await createCampaign(ctx, { trackId: 'spring' })
    const upload = async (query: string, ...names: string[]) => {
      const form = new FormData()
      if (names[0]) form.append(names[0], 'x')
      form.append('file', new Blob(['A-1\n']), 'codes.csv')
      if (names[1]) form.append(names[1], 'x')
      const response = await fetch(`${baseUrl}/api/containers/updatePromoCodes/spring${query}`, {
        ...{ method: 'POST', body: form, headers: { 'x-access-token': token } },
      })
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return (await response.json()) as any
    }
    expect(await upload('')).not.toHaveProperty('unknownFields')
    expect(await upload('?mod=add', 'trackId', 'promoSetId')).toMatchObject({
      totalRows: 1,
      unknownFields: [{ field: 'trackId' }, { field: 'promoSetId' }, { field: 'mod', didYouMean: 'mode' }],
    })
  })

  it('compare a repeated request by all that came, and repeat the first answer as it was', async () => {
    const key = { 'idempotency-key': 'with-unknown-names' }
    const body = { user: 'sara', content: 'Hi', camapign: 'a' }
    const first = await call('POST', '/api/push/toUsers', body, key)
    expect(first.body.unknownFields).toEqual([{ field: 'camapign' }])
    const again = await call('POST', '/api/push/toUsers', body, key)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    const other = await call('POST', '/api/push/toUsers', { ...body, camapign: 'b' }, key)
    expect([other.status, other.body.error.code]).toEqual([422, 'key-reused'])
    const inElement = [{ user: 'sara', content: 'Hi', idempotencyKey: 'of-an-element' }]
    const [element] = (await call('POST', '/api/push/toUsers', inElement)).body
    expect(element.unknownFields).toEqual([{ field: 'idempotencyKey' }])
    const inBody = { user: 'sara', content: 'Hi', idempotencyKey: 'in-the-body' }
    const once = (await call('POST', '/api/push/toUsers', inBody)).body
    expect(once).not.toHaveProperty('unknownFields')
    expect((await call('POST', '/api/push/toUsers', inBody)).body).toEqual(once)
  })

  it('still refuse recipients that belong to another endpoint: without them others would get the message', async () => {
    const before = await countRows(ctx, 'messages')
    for (const [path, body] of [
      ['/api/push/byQuery', { target: {}, users: ['sara'], content: 'x' }],
      ['/api/push/byQuery', { target: {}, user: 'sara', content: 'x' }],
      ['/api/push/toUsers', { user: 'sara', target: {}, content: 'x' }],
      ['/api/push/toUsers', { user: 'sara', segment: { all: [] }, content: 'x' }],
      ['/api/push/notifyToUsers', { user: 'sara', segment: { all: [] }, content: 'x' }],
    ] as const)
      expect((await call('POST', path, body)).body.error.code).toBe('invalid-request')
    expect(await countRows(ctx, 'messages')).toBe(before)
  })

  it('never ignore a name in the rules of a segment', async () => {
    const segment = { all: [{ name: 'tags', operator: 'include', value: 'a', vlaue: 'b' }] }
    const { body } = await call('POST', '/api/push/byQuery', { segment, content: 'x' })
    expect(body.error.code).toBe('invalid-segment')
  })

  it('answer in proportion to a body with very many names, and repeat no access token', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, 0]))
    const answer = (await call('POST', '/api/push/toUsers', { user: 'sara', content: 'x', ...many })).body
    expect([answer.warnings.length, answer.unknownFields.length]).toEqual([101, 100])
    expect(answer.warnings.at(-1)).toBe('19900 more unknown names were ignored.')
    const odd = { user: 'sara', content: 'x', [token]: 1, [`${'x'.repeat(60)} ${token}`]: 1, [`${'y'.repeat(500)}`]: 1 }
    const text = JSON.stringify((await call('POST', `/api/push/toUsers?${token}=1`, odd)).body)
    expect(text).not.toContain(token.slice(0, 20))
    expect(text.length).toBeLessThan(2_000)
    const refused = await call('POST', `/api/segments?${token}=1`, { name: 'x', segment: {} })
    expect(refused.body.error.code).toBe('unknown-field')
    expect(JSON.stringify(refused.body)).not.toContain(token.slice(0, 20))
  })
})

describe('endpoints of the client protocol', () => {
  it('keep what they kept, ignore what they ignored, and say nothing of it', async () => {
    const made = (
      await callAsClient('POST', '/api/installations?v=2', { deviceType: 'web', userId: 'omid', color: 'red' })
    ).body
    expect(made).toMatchObject({ userId: 'omid', color: 'red' })
    expect(made).not.toHaveProperty('unknownFields')
    const answers = await Promise.all([
      callAsClient('PUT', `/api/installations/${made.id}`, { color: 'blue' }),
      callAsClient('PUT', '/api/installations/userInfo', { installationId: made.id, data: { a: 1 }, session: 'x' }),
      callAsClient('POST', '/api/installations/events', { installationId: made.id, eventData: [], appVersion: '1' }),
      callAsClient('POST', '/api/installations/addTags', { userId: 'omid', tags: ['a'], deviceType: 'web' }),
      call('POST', '/api/push/notifyUser/omid', { title: 'Hi', priority: 10 }),
      call('GET', '/api/installations/fetchByUserId/omid?_=1'),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).not.toHaveProperty('unknownFields')
      expect(body).not.toHaveProperty('warnings')
    }
    expect((await call('GET', `/api/installations/fetchById/${made.id}`)).body.color).toBe('blue')
  })
})

describe('our own endpoints and those of the panel', () => {
  const segment = { all: [{ name: 'tags', operator: 'include', value: 'a' }] }

  it('refuse a name that they do not know, and name the nearest', async () => {
    const { status, body } = await call('POST', '/api/segments', { nmae: 'x', segment })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'unknown-field',
      message: '"nmae" is not a known field. Did you mean "name"?',
      details: { field: 'nmae', didYouMean: 'name' },
    })
    expect((await call('GET', '/api/segments')).body).toEqual([])
  })

  it.each([
    ['GET', '/api/messages?offset=1', undefined, { field: 'offset' }],
    ['GET', '/api/messages?track_id=x', undefined, { field: 'track_id', didYouMean: 'trackId' }],
    ['GET', '/api/app?x', undefined, { field: 'x' }],
    ['POST', '/api/sending/resume', { session: 1 }, { field: 'session' }],
    [
      'POST',
      '/api/templates',
      { name: 'x', message: { contnet: 'x' } },
      { field: 'message.contnet', didYouMean: 'message.content' },
    ],
    ['POST', '/api/campaigns', { trackId: 'x', user_name: 'x' }, { field: 'user_name' }],
    [
      'PUT',
      '/api/app',
      { caps: [{ count: 1, window: '1h', categorys: [] }] },
      { field: 'caps[0].categorys', didYouMean: 'caps[0].categories' },
    ],
    ['DELETE', '/api/webhooks/x?force=1', undefined, { field: 'force' }],
    ['PUT', '/api/categories/x', { name: { en: 'x', _x: { evil: 1 } } }, { field: 'name._x' }],
  ])('%s %s %j is refused', async (method, path, body, details) => {
    const answer = await call(method, path, body)
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([400, 'unknown-field', details])
  })

  it('list the names they know when none is near', async () => {
    expect((await call('GET', '/api/scheduled?state=x')).body.error.message).toBe(
      '"state" is not a known query parameter. Expected one of "cursor", "limit".',
    )
    expect((await call('GET', '/api/app?x=1')).body.error.message).toContain('None is expected here.')
  })

  it('refuse them in the panel, in bodies, queries and parts of files', async () => {
    const refused = async (method: string, path: string, body?: unknown) =>
      (await asAdmin(method, path, body)).body.error?.code
    expect(await refused('PUT', '/password', { next: 'a long password', session: {} })).toBe('unknown-field')
    expect(await refused('POST', '/session', { email: 'a@b.example', password: 'x', id: 'x' })).toBe('unknown-field')
    expect(await refused('GET', `${panel}/overview?days=7&x=1`)).toBe('unknown-field')
    expect(await refused('POST', `${panel}/members`, { email: 'a@b.example', role: 'support', password: 'x' })).toBe(
      'unknown-field',
    )
    expect(await refused('POST', `${panel}/members/x/link`, { role: 'admin' })).toBe('unknown-field')
    const { key } = await createTestMember(ctx, 'admin')
    const form = new FormData()
    form.append('file', new Blob(['A-2\n']), 'codes.csv')
    form.append('mode', 'add')
    const response = await fetch(`${baseUrl}/panel/api${panel}/promo/global`, {
      ...{ method: 'POST', body: form, headers: { origin: baseUrl, cookie: `peyk=${key}` } },
    })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'unknown-field' } }])
    expect((await asAdmin('GET', `${panel}/promo`)).body).not.toHaveProperty('global')
  })

  it('leave keys of idempotency and access tokens to those who read them', async () => {
    const answer = await call('POST', `/api/segments?access_token=${token}`, {
      name: 'all',
      segment,
      idempotencyKey: 'k',
    })
    expect(answer.status).toBe(200)
  })
})

interface Schema {
  type?: string
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean
  items?: Schema
  maxItems?: number
}

const isAnything = (schema: Schema) => !('type' in schema || 'anyOf' in schema || 'const' in schema || 'enum' in schema)

/** The names under which a schema takes whatever comes. */
function openNames(schema: Schema, name: string): string[] {
  const { type, anyOf, items, patternProperties = {}, properties = {} } = schema
  if (isAnything(schema) || anyOf?.some(isAnything)) return [name]
  if (anyOf) return anyOf.flatMap((option) => openNames(option, name))
  if (type === 'array') return items && schema.maxItems !== 0 ? openNames(items, name) : []
  if (type !== 'object') return []
  return [
    ...(schema.additionalProperties ? [name] : []),
    ...Object.values(patternProperties).flatMap((inner) => openNames(inner, name)),
    ...Object.entries(properties).flatMap(([key, inner]) => openNames(inner, key)),
  ]
}

it('docs/about/security.md lists every part of a request that is open on purpose, and no other', () => {
  const endpoints = Object.entries(contract as Record<string, unknown>).filter(
    (entry): entry is [string, contract.AnyEndpoint] => (entry[1] as contract.AnyEndpoint)?.summary !== undefined,
  )
  const open = endpoints.flatMap(([name, { body, query }]) =>
    [body, query].flatMap((schema) => (schema ? openNames(schema, name) : [])),
  )
  const text = readFileSync(new URL('../../docs/about/security.md', import.meta.url), 'utf8')
  const [, table = ''] = /\| open \| what it is \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text) ?? []
  const listed = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(endpoints.length).toBeGreaterThan(150)
  expect(listed.toSorted()).toEqual([...new Set(open)].toSorted())
})

it('every endpoint that the specification defines names what it ignored', () => {
  const endpoints = Object.values(contract as Record<string, unknown>) as contract.AnyEndpoint[]
  const specified = endpoints.filter((endpoint) => endpoint?.section !== undefined)
  expect(specified).toHaveLength(15)
  for (const endpoint of specified) expect(contract.unknownNamePolicy(endpoint)).toBe('report')
})
