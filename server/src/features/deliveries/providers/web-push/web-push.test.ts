import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWebPushCredentials } from '#features/accounts/credential-formats/web-push.ts'
import type { Payload } from '#features/messages/payloads/payload.ts'
import { createOpener, optionsFor, pushTo, rule, startSimulated } from '../simulated.test-support.ts'
import { openWebPush } from './web-push.ts'

const browsers = await startSimulated()
const open = createOpener(openWebPush)
const credentials = createWebPushCredentials('mailto:push@example.com')
const payload: Payload = {
  provider: 'webpush',
  body: '{"title":"سلام","messageId":"m-1"}',
  urgency: 'high',
  topic: 'm-1',
}

const newWebPush = (options = {}) => open(credentials, optionsFor(browsers, options))
const newToken = (vapidKey = credentials.publicKey) =>
  JSON.stringify(browsers.tokens.issue('webpush', undefined, vapidKey))
const newPush = (token = newToken(), more = {}) => pushTo(token, payload, more)

function elsewhere(endpoint: string): string {
  return JSON.stringify({ ...JSON.parse(newToken()), endpoint })
}

afterEach(() => vi.useRealTimers())

describe('web push', () => {
  it('reaches the browser, which reads it', async () => {
    const expiresAt = new Date(Date.now() + 90_500)
    expect(await newWebPush().send(newPush(newToken(), { expiresAt }))).toEqual({ kind: 'accepted' })
    const [received] = browsers.record.list()
    expect(received).toMatchObject({
      isTaken: true,
      payload: { title: 'سلام', messageId: 'm-1' },
      headers: { urgency: 'high', topic: 'm-1' },
    })
    expect(Number(received?.headers.ttl)).toBeGreaterThan(80)
    expect(Number(received?.headers.ttl)).toBeLessThanOrEqual(90)
  })

  it('reaches many browsers with one message', async () => {
    const webPush = newWebPush()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => webPush.send(newPush())))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
    expect(new Set(browsers.record.list().map(({ payload }) => JSON.stringify(payload))).size).toBe(1)
  })

  it('keeps its ttl between now and 28 days', async () => {
    const webPush = newWebPush()
    await webPush.send(newPush(newToken(), { expiresAt: new Date(Date.now() - 5_000) }))
    await webPush.send(newPush(newToken(), { expiresAt: new Date(Date.now() + 1e11) }))
    expect(browsers.record.list().map(({ headers }) => headers.ttl)).toEqual(['0', '2419200'])
  })

  it('tells a subscription that ended, and one that never was', async () => {
    const token = newToken()
    browsers.tokens.kill('webpush', token)
    const webPush = newWebPush()
    expect(await webPush.send(newPush(token))).toMatchObject({ kind: 'gone', detail: expect.stringContaining('410') })
    const unknown = elsewhere(`${browsers.webPushOrigin}/push/nobody`)
    expect(await webPush.send(newPush(unknown))).toMatchObject({ kind: 'gone', detail: expect.stringContaining('404') })
  })

  it('is paused when the subscription was made with another key', async () => {
    const other = createWebPushCredentials('https://example.com').publicKey
    expect(await newWebPush().send(newPush(newToken(other)))).toMatchObject({ kind: 'paused' })
    expect(browsers.record.list()).toHaveLength(1)
  })

  it.each([
    [{ status: 400 }, { kind: 'refused' }],
    [{ status: 413 }, { kind: 'refused' }],
    [{ status: 401 }, { kind: 'paused' }],
    [{ status: 403 }, { kind: 'paused' }],
    [{ status: 500 }, { kind: 'later', retryAfterMs: 10_000, isForAll: false }],
    [rule({ action: 'html' }), { kind: 'later' }],
    [rule({ action: 'rst' }), { kind: 'unknown' }],
    [rule({ action: 'reset' }), { kind: 'unknown' }],
  ])('makes of %j what the table says', async (fault, outcome) => {
    browsers.faults.set('webpush', [fault])
    expect(await newWebPush().send(newPush())).toMatchObject(outcome)
    expect(browsers.record.list()).toHaveLength(1)
  })

  it('leaves a host alone for as long as it asked, and only that host', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    browsers.faults.set('webpush', [{ match: { first: 1 }, status: 429, retryAfter: 1000 }])
    const webPush = newWebPush()
    expect(await webPush.send(newPush())).toMatchObject({ kind: 'later', retryAfterMs: 1_000_000, isForAll: false })
    const held = await webPush.send(newPush())
    expect(held).toMatchObject({ kind: 'later', isForAll: false, detail: expect.stringContaining('asked to wait') })
    vi.advanceTimersByTime(999_000)
    expect(await webPush.send(newPush())).toMatchObject({ kind: 'later', retryAfterMs: 1_000 })
    expect(browsers.record.list()).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(await webPush.send(newPush())).toEqual({ kind: 'accepted' })
  })

  it('leaves a host alone that is away, and tries one push a second until it answers', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    browsers.faults.set('webpush', [{ status: 500 }])
    const webPush = newWebPush()
    for (let count = 0; count < 10; count++) expect(await webPush.send(newPush())).toMatchObject({ kind: 'later' })
    expect(browsers.record.list()).toHaveLength(5)
    vi.advanceTimersByTime(1_000)
    await Promise.all(Array.from({ length: 10 }, () => webPush.send(newPush())))
    expect(browsers.record.list()).toHaveLength(6)
    browsers.faults.clear()
    vi.advanceTimersByTime(1_999)
    expect(await webPush.send(newPush())).toMatchObject({ kind: 'later', retryAfterMs: 1 })
    vi.advanceTimersByTime(1)
    expect(await webPush.send(newPush())).toEqual({ kind: 'accepted' })
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => webPush.send(newPush())))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
  })

  it('signs anew, once, when what it signed a while ago is refused', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const webPush = newWebPush()
    await webPush.send(newPush())
    vi.advanceTimersByTime(61_000)
    browsers.faults.set('webpush', [{ match: { first: 1 }, status: 403 }])
    expect(await webPush.send(newPush())).toEqual({ kind: 'accepted' })
    browsers.faults.set('webpush', [{ status: 403 }])
    expect(await webPush.send(newPush())).toMatchObject({ kind: 'paused' })
    expect(browsers.record.list().map(({ answer }) => answer.status)).toEqual([201, 403, 201, 403])
  })

  it.each([
    ['a host that is no push service', 'https://intranet.example/x', /not on the list/],
    ['an address', 'https://10.0.0.1/x', /not on the list/],
    ['this machine', 'https://localhost/x', /not on the list/],
    ['a host without TLS', 'http://fcm.googleapis.com/x', /https:/],
    ['another port', 'https://fcm.googleapis.com:8443/x', /port/],
    ['a name that only begins alike', 'https://fcm.googleapis.com.example.org/x', /not on the list/],
    ['a password', 'https://a:b@fcm.googleapis.com/x', /password/],
  ])('does not call %s', async (_, endpoint, words) => {
    expect(await newWebPush().send(newPush(elsewhere(endpoint)))).toMatchObject({
      kind: 'refused',
      detail: expect.stringMatching(words),
    })
  })

  it('does not call the simulator where that is not allowed', async () => {
    const { endpoints } = optionsFor(browsers)
    const outcome = await newWebPush({ endpoints: { ...endpoints, localOrigins: [] } }).send(newPush())
    expect(outcome).toMatchObject({ kind: 'refused' })
    expect(browsers.record.list()).toEqual([])
  })

  it('refuses what is too large, and keys that are none', async () => {
    const large: Payload = { ...payload, body: 'x'.repeat(4_000) }
    const webPush = newWebPush()
    expect(await webPush.send(pushTo(newToken(), large))).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('4000 bytes'),
    })
    const token = JSON.parse(newToken())
    token.keys.p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
    expect(await webPush.send(newPush(JSON.stringify(token)))).toMatchObject({ kind: 'refused' })
    expect(await webPush.send(newPush('not a subscription'))).toMatchObject({ kind: 'refused' })
    expect(await webPush.send(pushTo('x', { provider: 'fcm', fields: '' }))).toMatchObject({ kind: 'refused' })
  })

  it('checks its key pair by itself', async () => {
    expect(await newWebPush().checkCredentials()).toMatchObject({ kind: 'accepted' })
  })
})
