// biome-ignore-all lint/suspicious/noThenProperty: the name is agreed
import { once } from 'node:events'
import { type ClientHttp2Session, constants } from 'node:http2'
import { connect } from 'node:net'
import { poll } from '@peyk/test/runner/poll.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FaultRule } from './fault-rule.ts'
import { ask, fetchAccessToken, openSession, signApnsToken, startTestProviders } from './providers.test-support.ts'
import type { TakenPush } from './record.ts'
import type { Providers } from './start-providers.ts'

let providers: Providers
let session: ClientHttp2Session
let fcmHeaders: Record<string, string>
let apnsHeaders: Record<string, string>
const taken: TakenPush[] = []

beforeAll(async () => {
  providers = await startTestProviders()
  providers.onTaken((push) => taken.push(push))
  fcmHeaders = { authorization: `Bearer ${await fetchAccessToken(providers)}` }
  apnsHeaders = {
    authorization: `bearer ${await signApnsToken(providers)}`,
    'apns-topic': providers.credentials.apns.bundleId,
    'apns-push-type': 'alert',
  }
})
afterAll(() => providers.close())
beforeEach(() => {
  session = openSession(providers, providers.fcmUrl)
})
afterEach(() => {
  session.destroy()
  providers.faults.clear()
  providers.record.clear()
  taken.length = 0
})

const sendFcm = (on = session, token: string = providers.tokens.issue('fcm')) =>
  ask(
    on,
    `/v1/projects/${providers.credentials.fcm.project_id}/messages:send`,
    fcmHeaders,
    JSON.stringify({ message: { token, data: { messageId: 'm1' } } }),
  )
const sendApns = (on: ClientHttp2Session) =>
  ask(on, `/3/device/${providers.tokens.issue('apns')}`, apnsHeaders, JSON.stringify({ aps: {} }))
/** Whether it has come to an end, good or bad. */
function follow(outcome: Promise<unknown>): { isSettled(): boolean } {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  outcome.then(settle, settle)
  return { isSettled: () => isSettled }
}
const setFcm = (...rules: FaultRule[]) => providers.faults.set('fcm', rules)

describe('an answer on demand', () => {
  it.each<[FaultRule, number, string]>([
    [{ status: 400 }, 400, 'INVALID_ARGUMENT'],
    [{ status: 403 }, 403, 'SENDER_ID_MISMATCH'],
    [{ status: 404 }, 404, 'UNREGISTERED'],
    [{ status: 429 }, 429, 'QUOTA_EXCEEDED'],
    [{ status: 500 }, 500, 'INTERNAL'],
    [{ status: 503 }, 503, 'UNAVAILABLE'],
    [{ reason: 'UNREGISTERED' }, 404, 'UNREGISTERED'],
    [{ reason: 'THIRD_PARTY_AUTH_ERROR' }, 401, 'THIRD_PARTY_AUTH_ERROR'],
    [{ reason: 'QUOTA_EXCEEDED', status: 503 }, 503, 'QUOTA_EXCEEDED'],
  ])('of FCM: %j', async (rule, status, code) => {
    setFcm(rule)
    const answer = await sendFcm()
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body).error.details[0].errorCode).toBe(code)
    expect(providers.record.list()).toMatchObject([{ isTaken: false, answer: { status, reason: code } }])
    expect(taken).toEqual([])
  })

  it('of FCM without a code of its own, and about a field', async () => {
    setFcm({ match: { first: 1 }, status: 401 }, { match: { first: 1 }, status: 504 }, { field: 'message.token' })
    expect(JSON.parse((await sendFcm()).body).error.status).toBe('UNAUTHENTICATED')
    expect((await sendFcm()).status).toBe(504)
    expect(JSON.parse((await sendFcm()).body).error.details[1].fieldViolations[0].field).toBe('message.token')
  })

  it.each([
    'BadDeviceToken',
    'DeviceTokenNotForTopic',
    'TopicDisallowed',
    'ExpiredProviderToken',
    'InvalidProviderToken',
    'Unregistered',
    'PayloadTooLarge',
    'TooManyRequests',
    'TooManyProviderTokenUpdates',
    'InternalServerError',
    'ServiceUnavailable',
  ])('of APNs: %s', async (reason) => {
    const line = openSession(providers, providers.apnsUrl)
    providers.faults.set('apns', [{ reason, timestamp: 1000 }])
    const answer = await sendApns(line)
    line.destroy()
    expect(JSON.parse(answer.body)).toEqual({ reason, ...(reason === 'Unregistered' && { timestamp: 1000 }) })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })

  it.each([401, 403, 404, 410, 413, 429, 500])('of Web Push: %i', async (status) => {
    const line = openSession(providers, providers.webPushOrigin)
    providers.faults.set('webpush', [{ status, retryAfter: 7 }])
    const answer = await ask(line, new URL(providers.tokens.issue('webpush').endpoint).pathname, {}, '')
    line.destroy()
    expect([answer.status, answer.headers['retry-after']]).toEqual([status, '7'])
  })

  it('of the OAuth endpoint', async () => {
    providers.faults.set('oauth', [{ match: { first: 1 }, status: 500 }])
    const answer = await ask(session, '/token', {}, '')
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([500, 'invalid_grant'])
  })

  it.each<[string | number | null, string | undefined]>([
    [30, '30'],
    [-5, '-5'],
    [1e15, '1000000000000000'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    ['soon', 'soon'],
    ['a\r\nb', 'a??b'],
    [null, undefined],
  ])('with Retry-After %j', async (retryAfter, expected) => {
    setFcm({ status: 503, retryAfter })
    expect((await sendFcm()).headers['retry-after']).toBe(expected)
  })

  it('for one token, and as text of any kind', async () => {
    const token = providers.tokens.issue('fcm')
    setFcm({ match: { token }, status: 200, body: '{"name":' })
    expect((await sendFcm()).body).toContain('projects/')
    expect((await sendFcm(session, token)).body).toBe('{"name":')
  })

  it('above a quota', async () => {
    setFcm({ match: { perSecond: 0 } })
    const answer = await sendFcm()
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1'])
  })

  it('later', async () => {
    setFcm({ delayMs: 60 })
    const start = performance.now()
    expect((await sendFcm()).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThanOrEqual(55)
    expect(taken.length).toBe(1)
  })
})

describe('a broken answer', () => {
  it('is a page', async () => {
    setFcm({ match: { first: 1 }, then: 'html' }, { then: 'html', status: 200 })
    const answer = await sendFcm()
    expect(answer).toMatchObject({ status: 502, headers: { 'content-type': 'text/html; charset=UTF-8' } })
    expect(answer.body).toContain('<!DOCTYPE html>')
    expect((await sendFcm()).status).toBe(200)
  })

  it('has no end', async () => {
    setFcm({ then: 'endless' })
    const stream = session.request({ ':method': 'POST', ':path': sendPath(), ...fcmHeaders })
    stream.on('error', () => undefined)
    stream.end(JSON.stringify({ message: { token: providers.tokens.issue('fcm') } }))
    let bytes = 0
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length
      if (bytes > 1_000_000) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(taken.length).toBe(1)
  })

  it('never comes, though the push was taken', async () => {
    setFcm({ match: { first: 1 }, then: 'hang' })
    const { isSettled } = follow(sendFcm())
    expect((await sendFcm()).status).toBe(200)
    expect(taken.length).toBe(2)
    expect(providers.record.list()[0]).toMatchObject({ isTaken: true, answer: { status: null, fault: 'hang' } })
    // On the same line, and nothing of the first.
    expect((await sendFcm()).status).toBe(200)
    expect(isSettled()).toBe(false)
  })

  it.each<[string | number, string, number]>([
    ['REFUSED_STREAM', 'NGHTTP2_REFUSED_STREAM', 0],
    ['INTERNAL_ERROR', 'NGHTTP2_INTERNAL_ERROR', 1],
    ['ENHANCE_YOUR_CALM', 'NGHTTP2_ENHANCE_YOUR_CALM', 1],
    [2, 'NGHTTP2_INTERNAL_ERROR', 1],
  ])('is RST_STREAM with %s', async (code, name, takenCount) => {
    setFcm({ match: { first: 1 }, then: 'rst', code })
    await expect(sendFcm()).rejects.toThrow(name)
    expect(taken.length).toBe(takenCount)
    expect((await sendFcm()).status).toBe(200)
  })

  it('takes the push or not as the rule says', async () => {
    setFcm({ then: 'rst', code: 'REFUSED_STREAM', isTaken: true, match: { first: 1 } }, { then: 'rst', isTaken: false })
    await expect(sendFcm()).rejects.toThrow()
    expect(taken.length).toBe(1)
    await expect(sendFcm()).rejects.toThrow()
    expect(taken.length).toBe(1)
  })
})

describe('a broken connection', () => {
  it.each(['fcmUrl', 'fcmTlsUrl'] as const)('is reset (%s)', async (url) => {
    const line = openSession(providers, providers[url])
    setFcm({ then: 'reset' })
    await expect(sendFcm(line)).rejects.toThrow()
    await poll(() => line.destroyed).toBe(true)
    expect(taken.length).toBe(1)
  })

  it.each(['fcmUrl', 'fcmTlsUrl'] as const)('falls silent, PINGs too (%s)', async (url) => {
    const line = openSession(providers, providers[url])
    expect((await sendFcm(line)).status).toBe(200)
    await expect(ping(line)).resolves.toBe('pong')
    setFcm({ match: { first: 1 }, then: 'half-open' })
    const lost = follow(sendFcm(line))
    await poll(() => taken.length).toBe(2)
    const later = [follow(sendFcm(line)), follow(ping(line))]
    // Another line is answered again and again meanwhile.
    for (let times = 0; times < 10; times++) expect((await sendFcm()).status).toBe(200)
    expect([lost, ...later].map(({ isSettled }) => isSettled())).toEqual([false, false, false])
    expect(line.closed).toBe(false)
    expect(taken.length).toBe(12)
    line.destroy()
  })

  it.each(['fcmUrl', 'fcmTlsUrl'] as const)('says GOAWAY and still answers what it has begun (%s)', async (url) => {
    const line = openSession(providers, providers[url])
    const goaway = once(line, 'goaway')
    setFcm({ match: { every: 3 }, then: 'goaway' })
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => sendFcm(line)))
    const [code, lastStream] = await goaway
    expect([code, lastStream]).toEqual([0, 5])
    expect(results.map(({ status }) => status)).toEqual([...fulfilled(3), ...new Array(7).fill('rejected')])
    for (const result of results.slice(3)) {
      expect(String((result as PromiseRejectedResult).reason)).toContain('NGHTTP2_REFUSED_STREAM')
    }
    expect(taken.length).toBe(3)
    await poll(() => line.destroyed).toBe(true)
  })

  it('says GOAWAY with a last id below the request, which is refused then', async () => {
    const goaway = once(session, 'goaway')
    setFcm({ match: { every: 3 }, then: 'goaway', lastStream: 'below' })
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => sendFcm()))
    expect((await goaway)[1]).toBe(3)
    expect(results.map(({ status }) => status)).toEqual([...fulfilled(2), 'rejected', 'rejected'])
    expect(String((results[2] as PromiseRejectedResult).reason)).toContain('NGHTTP2_REFUSED_STREAM')
    expect(taken.length).toBe(2)
    expect(providers.record.list()[2]).toMatchObject({ isTaken: false, answer: { status: null, fault: 'goaway' } })
  })

  it('answers what it has begun even when it takes longer than the GOAWAY', async () => {
    setFcm({ match: { first: 1 }, delayMs: 100 }, { match: { first: 1 }, then: 'goaway' })
    const results = await Promise.all([sendFcm(), sendFcm()])
    expect(results.map(({ status }) => status)).toEqual([200, 200])
  })

  it('allows other numbers of streams than before', async () => {
    await poll(() => session.remoteSettings.maxConcurrentStreams).toBe(100)
    setFcm({ match: { first: 1 }, maxConcurrentStreams: 2 })
    expect((await sendFcm()).status).toBe(200)
    await poll(() => session.remoteSettings.maxConcurrentStreams).toBe(2)
    expect((await Promise.all(Array.from({ length: 20 }, () => sendFcm()))).every(({ status }) => status === 200)).toBe(
      true,
    )
  })
})

describe('HTTP/1.1', () => {
  const url = () => `${providers.smsUrl}/sms/send?to=4917000&text=x&apiKey=${providers.credentials.sms.generic.apiKey}`

  it.each(['reset', 'rst'] as const)('is broken by %s', async (then) => {
    providers.faults.set('sms', [{ then }])
    await expect(fetch(url())).rejects.toThrow()
    expect(taken.length).toBe(1)
  })

  it.each(['hang', 'half-open'] as const)('waits for ever at %s', async (then) => {
    providers.faults.set('sms', [{ then }])
    const controller = new AbortController()
    const { isSettled } = follow(fetch(url(), { signal: controller.signal }))
    await poll(() => taken.length).toBe(1)
    providers.faults.clear()
    for (let times = 0; times < 10; times++) expect((await fetch(url())).status).toBe(200)
    expect(isSettled()).toBe(false)
    controller.abort()
  })

  it('closes after goaway, and carries pages and bodies without end', async () => {
    providers.faults.set('sms', [
      { match: { first: 1 }, then: 'goaway' },
      { match: { first: 1 }, then: 'html' },
      { then: 'endless' },
    ])
    const closed = await fetch(url())
    expect([closed.status, closed.headers.get('connection')]).toEqual([200, 'close'])
    expect(await (await fetch(url())).text()).toContain('<!DOCTYPE html>')
    const endless = await fetch(url())
    let bytes = 0
    for await (const chunk of endless.body ?? []) {
      bytes += chunk.length
      if (bytes > 1_000_000) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
  })
})

describe('a hostile client', () => {
  it.each([
    'nonsense\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nnonsense',
    'P',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1',
  ])('that sends %j does no harm', async (text) => {
    for (const port of [providers.ports.fcm, providers.ports.apns, providers.ports.sms]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.end(text)
      await once(socket.resume(), 'close')
    }
    expect((await sendFcm()).status).toBe(200)
  })

  it('that sends too much is cut off', async () => {
    await expect(ask(session, sendPath(), fcmHeaders, 'x'.repeat(2_000_000))).rejects.toThrow()
    expect((await sendFcm()).status).toBe(200)
  })

  it('that breaks off in the middle of a request has sent none', async () => {
    const stream = session.request({ ':method': 'POST', ':path': sendPath(), ...fcmHeaders })
    stream.on('error', () => undefined)
    stream.write('{"message":{}}')
    stream.close(constants.NGHTTP2_CANCEL)
    await once(stream, 'close')
    expect((await sendFcm()).status).toBe(200)
    expect(providers.record.list().length).toBe(1)
  })
})

function sendPath(): string {
  return `/v1/projects/${providers.credentials.fcm.project_id}/messages:send`
}

function fulfilled(count: number): string[] {
  return new Array(count).fill('fulfilled')
}

function ping(line: ClientHttp2Session): Promise<string> {
  return new Promise((resolve, reject) => line.ping((error) => (error ? reject(error) : resolve('pong'))))
}
