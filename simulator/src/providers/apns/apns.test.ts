import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { ClientHttp2Session } from 'node:http2'
import { poll } from '@peyk/test/runner/poll.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, askHttps, nowSeconds, openSession, signApnsToken, startTestProviders } from '../providers.test-support.ts'
import type { Providers } from '../start-providers.ts'

let providers: Providers
let session: ClientHttp2Session
let headers: Record<string, string>

beforeAll(async () => {
  providers = await startTestProviders()
  session = openSession(providers, providers.apnsUrl)
  headers = {
    authorization: `bearer ${await signApnsToken(providers)}`,
    'apns-topic': providers.credentials.apns.bundleId,
    'apns-push-type': 'alert',
  }
})
afterAll(async () => {
  session.close()
  await providers.close()
})

const body = JSON.stringify({ aps: { alert: { title: 'Hello' } }, messageId: 'm1' })
const pathOf = (token: string) => `/3/device/${token}`
const push = (more: Record<string, string> = {}, content = body, token = providers.tokens.issue('apns')) =>
  ask(session, pathOf(token), { ...headers, ...more }, content)
const reasonOf = (answer: { body: string }) => JSON.parse(answer.body).reason

describe('a push', () => {
  it('is taken with its apns-id, recorded and handed over', async () => {
    const taken: unknown[] = []
    const stop = providers.onTaken((each) => taken.push(each))
    const token = providers.tokens.issue('apns', 'phone-2')
    const apnsId = randomUUID()
    const answer = await push({ 'apns-id': apnsId, 'apns-collapse-id': 'c', 'apns-expiration': '0' }, body, token)
    stop()
    expect(answer).toMatchObject({ status: 200, body: '', headers: { 'apns-id': apnsId } })
    const payload = JSON.parse(body)
    expect(providers.record.list({ messageId: 'm1' }).at(-1)).toMatchObject({ provider: 'apns', token, payload })
    expect(taken).toMatchObject([{ tokenId: 'phone-2', pushId: apnsId, collapseKey: 'c', expiresAt: null, payload }])
  })

  it('gets an apns-id when it has none', async () => {
    expect((await push()).headers['apns-id']).toMatch(/^[0-9A-F-]{36}$/)
  })

  it('is taken in upper case and in the background with priority 5', async () => {
    expect((await push({}, body, providers.tokens.issue('apns').toUpperCase())).status).toBe(200)
    expect((await push({ 'apns-push-type': 'background', 'apns-priority': '5' })).status).toBe(200)
  })

  it.each<[string, string, string]>([
    ['apns-id', 'nonsense', 'BadMessageId'],
    ['apns-topic', 'com.example.other', 'DeviceTokenNotForTopic'],
    ['apns-push-type', 'loud', 'InvalidPushType'],
    ['apns-priority', '7', 'BadPriority'],
    ['apns-expiration', 'tomorrow', 'BadExpirationDate'],
    ['apns-collapse-id', 'ü'.repeat(33), 'BadCollapseId'],
  ])('is refused with the %s %j', async (name, value, reason) => {
    const answer = await push({ [name]: Buffer.from(value).toString('latin1') })
    expect([answer.status, reasonOf(answer)]).toEqual([400, reason])
  })

  it('is refused in the background with priority 10, which is the default', async () => {
    expect(reasonOf(await push({ 'apns-push-type': 'background' }))).toBe('BadPriority')
    expect(reasonOf(await push({ 'apns-push-type': 'background', 'apns-priority': '10' }))).toBe('BadPriority')
  })

  it('is refused without a topic or type', async () => {
    const { 'apns-topic': _topic, ...noTopic } = headers
    const { 'apns-push-type': _type, ...noType } = headers
    const path = pathOf(providers.tokens.issue('apns'))
    expect(reasonOf(await ask(session, path, noTopic, body))).toBe('MissingTopic')
    expect(reasonOf(await ask(session, path, noType, body))).toBe('InvalidPushType')
  })

  it('has at most 4096 bytes', async () => {
    const frame = JSON.stringify({ aps: {}, a: '' }).length
    const ofBytes = (bytes: number) => JSON.stringify({ aps: {}, a: 'x'.repeat(bytes - frame) })
    expect((await push({}, ofBytes(4096))).status).toBe(200)
    const answer = await push({}, ofBytes(4097))
    expect([answer.status, reasonOf(answer)]).toEqual([413, 'PayloadTooLarge'])
  })

  it.each(['', '{}', '[]', 'nonsense', '{"aps":"x"}'])('is refused with the body %j', async (content) => {
    expect(reasonOf(await push({}, content))).toBe('PayloadEmpty')
  })

  it('to a dead token gets 410 with since when', async () => {
    const token = providers.tokens.issue('apns')
    providers.tokens.kill('apns', token, 1_700_000_000_000)
    const answer = await push({}, body, token)
    expect(answer.status).toBe(410)
    expect(JSON.parse(answer.body)).toEqual({ reason: 'Unregistered', timestamp: 1_700_000_000_000 })
  })

  it.each(['a'.repeat(64), 'nonsense'])('to %s gets BadDeviceToken', async (token) => {
    expect(reasonOf(await push({}, body, token))).toBe('BadDeviceToken')
  })

  it('to no token, another path or by another method is refused', async () => {
    expect(reasonOf(await push({}, body, ''))).toBe('MissingDeviceToken')
    expect(reasonOf(await ask(session, '/4/device/x', headers, body))).toBe('BadPath')
    const get = await ask(session, pathOf('x'), { ...headers, ':method': 'PUT' }, body)
    expect([get.status, reasonOf(get)]).toEqual([405, 'MethodNotAllowed'])
  })
})

describe("a team's token", () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })

  it.each<[string, string | (() => Promise<string>), number, string]>([
    ['missing', '', 403, 'InvalidProviderToken'],
    ['nonsense', 'bearer nonsense', 403, 'InvalidProviderToken'],
    ['of another team', async () => signApnsToken(providers, { iss: 'OTHERTEAM1' }), 403, 'InvalidProviderToken'],
    ['of another key', async () => signApnsToken(providers, {}, { kid: 'OTHERKEY12' }), 403, 'InvalidProviderToken'],
    ['of the future', async () => signApnsToken(providers, { iat: nowSeconds() + 900 }), 403, 'InvalidProviderToken'],
    ['too old', async () => signApnsToken(providers, { iat: nowSeconds() - 3601 }), 403, 'ExpiredProviderToken'],
    [
      'signed by somebody else',
      async () => {
        const credentials = { ...providers.credentials, apns: { ...providers.credentials.apns, key: other as string } }
        return signApnsToken({ ...providers, credentials })
      },
      403,
      'InvalidProviderToken',
    ],
  ])('%s is refused', async (_what, token, status, reason) => {
    const authorization = typeof token === 'string' ? token : `bearer ${await token()}`
    const answer = await push({ authorization })
    expect([answer.status, reasonOf(answer)]).toEqual([status, reason])
  })

  it('is asked for when there is none', async () => {
    const { authorization: _, ...rest } = headers
    const answer = await ask(session, pathOf(providers.tokens.issue('apns')), rest, body)
    expect(reasonOf(answer)).toBe('MissingProviderToken')
  })

  it('may be renewed once in 20 minutes; the one before is taken as long as it lives', async () => {
    const fresh = await startTestProviders()
    const line = openSession(fresh, fresh.apnsUrl)
    const issuedAgo = async (seconds: number) => {
      const authorization = `bearer ${await signApnsToken(fresh, { iat: nowSeconds() - seconds })}`
      return () => ask(line, pathOf(fresh.tokens.issue('apns')), { ...headers, authorization }, body)
    }
    const first = await issuedAgo(2000)
    const tooSoon = await issuedAgo(1000)
    const renewed = await issuedAgo(700)
    expect((await first()).status).toBe(200)
    const answer = await tooSoon()
    expect([answer.status, reasonOf(answer)]).toEqual([429, 'TooManyProviderTokenUpdates'])
    expect((await first()).status).toBe(200)
    expect((await renewed()).status).toBe(200)
    expect((await first()).status).toBe(200)
    line.close()
    await fresh.close()
  })
})

describe('a connection', () => {
  it('has one stream before the first 200, and many after it', async () => {
    const line = openSession(providers, providers.apnsUrl)
    const streams = () => line.remoteSettings.maxConcurrentStreams
    await poll(streams).toBe(1)
    const path = pathOf(providers.tokens.issue('apns'))
    expect((await ask(line, path, { ...headers, 'apns-topic': 'x' }, body)).status).toBe(400)
    expect(streams()).toBe(1)
    expect((await ask(line, path, headers, body)).status).toBe(200)
    await poll(streams).toBe(1000)
    line.close()
  })

  it('refuses what goes above one stream', async () => {
    const line = openSession(providers, providers.apnsUrl)
    const path = pathOf(providers.tokens.issue('apns'))
    // Sent before the settings of the other side are known.
    const results = await Promise.allSettled([1, 2, 3].map(() => ask(line, path, headers, body)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    const [, second] = results as PromiseRejectedResult[]
    expect(String(second?.reason)).toContain('NGHTTP2_REFUSED_STREAM')
    line.close()
  })

  it('is not to be had without HTTP/2', async () => {
    await expect(askHttps(providers, providers.apnsUrl, headers, body)).rejects.toThrow()
  })
})
