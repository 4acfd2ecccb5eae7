import { generateKeyPairSync } from 'node:crypto'
import { poll } from '@peyk/test/runner/poll.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readFcmCredentials } from '#features/accounts/credential-formats/fcm.ts'
import { createOpener, optionsFor, pushTo, rule, startSimulated } from '../simulated.test-support.ts'
import { openFcm } from './fcm.ts'

const google = await startSimulated()
const open = createOpener(openFcm)
const credentials = readFcmCredentials(google.credentials.fcm)
const payload = { provider: 'fcm', fields: '"data":{"messageId":"m-1","text":"سلام"}' } as const

const newFcm = (more = {}, options = {}) => open({ ...credentials, ...more }, optionsFor(google, options))
const newPush = (token = google.tokens.issue('fcm')) => pushTo(token, payload)

afterEach(() => vi.useRealTimers())

describe('FCM', () => {
  it('accepts a push as it was built', async () => {
    const token = google.tokens.issue('fcm')
    expect(await newFcm().send(newPush(token))).toEqual({ kind: 'accepted' })
    expect(google.record.list()).toMatchObject([
      { token, isTaken: true, payload: { token, data: { messageId: 'm-1', text: 'سلام' } } },
    ])
  })

  it('shares one access token among all pushes', async () => {
    google.faults.set('oauth', [{ match: { after: 1 }, status: 500 }])
    const fcm = newFcm()
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => fcm.send(newPush())))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
    expect(google.record.countAll().fcm).toMatchObject({ received: 300, taken: 300 })
  })

  it('renews the access token once when it is refused, and sends again', async () => {
    const fcm = newFcm()
    await fcm.send(newPush())
    google.expireAccessTokens()
    google.faults.set('oauth', [{ match: { after: 1 }, status: 500 }])
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => fcm.send(newPush())))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
  })

  it('is paused when the renewed token is refused too', async () => {
    google.faults.set('fcm', [{ status: 401 }])
    expect(await newFcm().send(newPush())).toMatchObject({ kind: 'paused', detail: expect.stringContaining('401') })
    expect(google.record.list()).toHaveLength(2)
  })

  it('is paused at THIRD_PARTY_AUTH_ERROR without asking for a new token', async () => {
    google.faults.set('fcm', [{ reason: 'THIRD_PARTY_AUTH_ERROR' }])
    expect(await newFcm().send(newPush())).toMatchObject({ kind: 'paused' })
    expect(google.record.list()).toHaveLength(1)
  })

  it.each([
    ['a dead token', 'gone'],
    ['a token of another project', 'refused'],
    ['no token at all', 'gone'],
  ])('tells %s', async (what, kind) => {
    const dead = google.tokens.issue('fcm')
    google.tokens.kill('fcm', dead)
    const foreign = `abc:APA91b${'x'.repeat(140)}`
    const token = what === 'a dead token' ? dead : what === 'no token at all' ? 'a"},{"b\\\uD800' : foreign
    const outcome = await newFcm().send(newPush(token))
    expect(outcome.kind).toBe(kind)
    if (kind === 'refused') expect(outcome).toMatchObject({ isForeign: true })
  })

  it.each([
    [
      { status: 429, retryAfter: 30 },
      { kind: 'later', retryAfterMs: 30_000, isForAll: true, isQuota: true },
    ],
    [
      { status: 429, retryAfter: null },
      { kind: 'later', retryAfterMs: 60_000, isForAll: true, isQuota: true },
    ],
    [
      { status: 503, retryAfter: 'soon' },
      { kind: 'later', retryAfterMs: 10_000 },
    ],
    [{ status: 500 }, { kind: 'later', retryAfterMs: 10_000, isForAll: false }],
    [rule({ action: 'html' }), { kind: 'later', retryAfterMs: 10_000 }],
    [{ reason: 'INVALID_ARGUMENT', field: 'message.token' }, { kind: 'gone' }],
    [{ reason: 'INVALID_ARGUMENT', field: 'message.data' }, { kind: 'refused' }],
    [{ reason: 'UNREGISTERED' }, { kind: 'gone' }],
    [{ reason: 'SENDER_ID_MISMATCH' }, { kind: 'refused', isForeign: true }],
    [rule({ action: 'rst' }), { kind: 'unknown' }],
    [rule({ action: 'reset' }), { kind: 'unknown' }],
    [{ status: 200, body: '{"na' }, { kind: 'unknown' }],
    [rule({ action: 'endless', status: 500 }), { kind: 'later' }],
  ])('makes of %j what the table says', async (rule, outcome) => {
    google.faults.set('fcm', [rule])
    expect(await newFcm().send(newPush())).toMatchObject(outcome)
    expect(google.record.list()).toHaveLength(1)
  })

  it.each([
    rule({ match: { first: 1 }, action: 'rst', code: 'REFUSED_STREAM' }),
    rule({ match: { first: 1 }, action: 'goaway', lastStream: 'below' }),
  ])('sends again at once what was certainly not processed: %j', async (fault) => {
    const fcm = newFcm()
    await fcm.send(newPush())
    google.faults.set('fcm', [fault])
    expect(await fcm.send(newPush())).toEqual({ kind: 'accepted' })
    expect(google.record.list().map(({ isTaken }) => isTaken)).toEqual([true, false, true])
  })

  it('waits when it cannot be reached, and throws nothing after it was closed', async () => {
    const { endpoints, ...options } = optionsFor(google)
    const away = open(credentials, { ...options, endpoints: { ...endpoints, fcm: 'http://127.0.0.1:9' } })
    expect(await away.send(newPush())).toMatchObject({ kind: 'later', isForAll: false })
    const closed = newFcm()
    await closed.close()
    expect(await closed.send(newPush())).toMatchObject({ kind: 'later' })
  })

  it('refuses a payload of another platform', async () => {
    const push = pushTo('x', { provider: 'webpush', body: '', urgency: 'normal', topic: '' })
    expect(await newFcm().send(push)).toMatchObject({ kind: 'refused' })
  })
})

describe('the access token of FCM', () => {
  it('is waited for when Google cannot give one now, and not asked for again meanwhile', async () => {
    google.faults.set('oauth', [{ match: { first: 1 }, status: 503, retryAfter: 7 }])
    const fcm = newFcm()
    const outcomes = [await fcm.send(newPush()), await fcm.send(newPush())]
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: 'later', retryAfterMs: 7_000, isForAll: true })
    expect(google.record.list()).toEqual([])
  })

  it('is renewed before it ends, and used to its end when that fails', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const fcm = newFcm()
    const send = async () => {
      const { kind } = await fcm.send(newPush())
      return [kind, google.record.list().at(-1)?.headers.authorization]
    }
    const [, first] = await send()
    google.faults.set('oauth', [{ status: 500 }])
    vi.advanceTimersByTime(50 * 60_000)
    expect(await send()).toEqual(['accepted', first])
    google.faults.clear()
    vi.advanceTimersByTime(31_000)
    await poll(async () => (await send())[1]).not.toBe(first)
    google.faults.set('oauth', [{ status: 500 }])
    vi.advanceTimersByTime(61 * 60_000)
    expect((await send())[0]).toBe('later')
    google.faults.clear()
    vi.advanceTimersByTime(10_000)
    expect((await send())[0]).toBe('accepted')
  })

  it.each<[what: string, more: object, options: object, words: string]>([
    ['another key', { privateKey: newKey() }, {}, 'not of this service account'],
    ['an account that is gone', { clientEmail: 'nobody@example.com' }, {}, 'was deleted'],
    ['a wrong clock', {}, { now: () => new Date(Date.now() - 86_400_000) }, 'the clock'],
    [
      'a foreign token_uri',
      { tokenUri: 'https://oauth2.example.com/token' },
      {},
      'not on https://oauth2.googleapis.com',
    ],
    ['a token_uri without TLS', { tokenUri: 'http://oauth2.googleapis.com/token' }, {}, 'not on https://'],
    ['a key that cannot be read', { privateKey: 'x' }, {}, 'cannot be used'],
  ])('is refused in plain words with %s', async (_, more, options, words) => {
    const outcome = { kind: 'paused', detail: expect.stringContaining(words) }
    const fcm = newFcm(more, options)
    expect(await fcm.send(newPush())).toMatchObject(outcome)
    expect(await fcm.checkCredentials()).toMatchObject(outcome)
    expect(google.record.list()).toEqual([])
  })

  function newKey() {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
})

describe('a question to FCM', () => {
  it('tells whether a token lives, and nothing is shown', async () => {
    const [living, dead] = [google.tokens.issue('fcm'), google.tokens.issue('fcm')]
    google.tokens.kill('fcm', dead)
    const fcm = newFcm()
    expect(await fcm.checkToken?.(living, null)).toEqual({ kind: 'accepted' })
    expect(await fcm.checkToken?.(dead, null)).toMatchObject({ kind: 'gone' })
    expect(google.record.countAll().fcm).toMatchObject({ received: 2, taken: 0 })
  })

  it('tells that the credentials are right, and nobody is disturbed', async () => {
    expect(await newFcm().checkCredentials()).toEqual({ kind: 'accepted' })
    expect(google.record.countAll().fcm).toMatchObject({ taken: 0 })
  })

  it('tells that the account may not send in this project', async () => {
    google.faults.set('fcm', [{ status: 403, reason: 'PERMISSION_DENIED' }])
    expect(await newFcm().checkCredentials()).toMatchObject({ kind: 'paused', detail: expect.stringContaining('role') })
    google.faults.set('fcm', [{ status: 503 }])
    expect(await newFcm().checkCredentials()).toMatchObject({ kind: 'later' })
  })

  it('tells that the project is another', async () => {
    const outcome = await newFcm({ projectId: 'another-project' }).checkCredentials()
    expect(outcome.kind).not.toBe('accepted')
  })
})
