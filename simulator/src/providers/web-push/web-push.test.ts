import { createCipheriv, createECDH, generateKeyPairSync, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, askHttps, nowSeconds, openSession, startTestProviders } from '../providers.test-support.ts'
import type { Providers } from '../start-providers.ts'
import type { Subscription } from '../tokens.ts'

let providers: Providers
const vapid = createVapidPair()

beforeAll(async () => {
  providers = await startTestProviders()
})
afterAll(() => providers.close())

function createVapidPair(): { privateKey: KeyObject; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { privateKey, key: point.toString('base64url') }
}

async function authorize(claims: object = {}, pair = vapid, key = pair.key): Promise<string> {
  const jwt = await new SignJWT({
    aud: providers.webPushOrigin,
    exp: nowSeconds() + 3600,
    sub: 'mailto:ops@example.com',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .sign(pair.privateKey)
  return `vapid t=${jwt}, k=${key}`
}

/** As a sender does it [RFC 8291], written apart from what is tested. */
function encrypt({ keys }: Subscription, text: string, padding = 0): Buffer {
  const sender = createECDH('prime256v1')
  const senderKey = sender.generateKeys()
  const receiverKey = Buffer.from(keys.p256dh, 'base64url')
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const shared = derive(sender.computeSecret(receiverKey), Buffer.from(keys.auth, 'base64url'), info, 32)
  const salt = randomBytes(16)
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = [
    cipher.update(text),
    cipher.update(Buffer.from([2])),
    cipher.update(Buffer.alloc(padding)),
    cipher.final(),
  ]
  const size = Buffer.alloc(4)
  size.writeUInt32BE(4096)
  return Buffer.concat([salt, size, Buffer.from([65]), senderKey, ...record, cipher.getAuthTag()])
}

async function push(subscription: Subscription, more: Record<string, string | undefined> = {}, body?: Buffer) {
  const headers: Record<string, string | undefined> = {
    authorization: await authorize(),
    'content-encoding': 'aes128gcm',
    ttl: '60',
    ...more,
  }
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  const content = body ?? encrypt(subscription, JSON.stringify({ messageId: 'm1', title: 'سلام' }))
  return askHttps(providers, subscription.endpoint, sent as Record<string, string>, content)
}

describe('a push', () => {
  it('is decrypted, recorded and handed over', async () => {
    const taken: unknown[] = []
    const stop = providers.onTaken((each) => taken.push(each))
    const subscription = providers.tokens.issue('webpush', 'browser-1', vapid.key)
    const answer = await push(subscription, { topic: 'news', urgency: 'high' })
    stop()
    expect(answer.status).toBe(201)
    const payload = { messageId: 'm1', title: 'سلام' }
    const { endpoint } = subscription
    expect(taken).toMatchObject([
      { tokenId: 'browser-1', token: endpoint, pushId: answer.headers.location, collapseKey: 'news', payload },
    ])
    expect(providers.record.list().at(-1)).toMatchObject({
      provider: 'webpush',
      token: endpoint,
      messageId: 'm1',
      payload,
    })
  })

  it('is taken over HTTP/2, padded, or without a body', async () => {
    const subscription = providers.tokens.issue('webpush')
    const session = openSession(providers, providers.webPushOrigin)
    const headers = { authorization: await authorize(), 'content-encoding': 'aes128gcm', ttl: '0' }
    const path = new URL(subscription.endpoint).pathname
    expect((await ask(session, path, headers, encrypt(subscription, 'text', 500))).status).toBe(201)
    session.close()
    expect(providers.record.list().at(-1)?.payload).toBe('text')
    expect((await push(subscription, { 'content-encoding': undefined }, Buffer.alloc(0))).status).toBe(201)
  })

  it('can be read after a restart with the same secret', async () => {
    const subscription = providers.tokens.issue('webpush', 'survivor', vapid.key)
    const dead = providers.tokens.issue('webpush')
    providers.tokens.kill('webpush', dead.endpoint)
    const { ports } = providers
    const kept = providers.tokens.listDead()
    await providers.close()
    providers = await startTestProviders({ ports, dead: kept })
    expect((await push(subscription)).status).toBe(201)
    expect(providers.record.list()).toMatchObject([{ tokenId: 'survivor', payload: { messageId: 'm1' } }])
    expect((await push(dead)).status).toBe(410)
  })

  it('that cannot be decrypted is refused', async () => {
    const subscription = providers.tokens.issue('webpush')
    const other = providers.tokens.issue('webpush')
    expect((await push(subscription, {}, encrypt(other, 'x'))).status).toBe(400)
    expect((await push(subscription, {}, Buffer.alloc(200))).status).toBe(400)
    expect((await push(subscription, {}, Buffer.from('short'))).status).toBe(400)
  })

  it.each<[number, string, Record<string, string | undefined>]>([
    [400, 'no TTL', { ttl: undefined }],
    [400, 'a TTL that is no number', { ttl: 'long' }],
    [400, 'a Topic of 33 characters', { topic: 'x'.repeat(33) }],
    [400, 'a Topic outside base64url', { topic: 'a.b' }],
    [400, 'an unknown Urgency', { urgency: 'extreme' }],
    [415, 'another encoding', { 'content-encoding': 'aesgcm' }],
    [401, 'no authorization', { authorization: undefined }],
    [401, 'another scheme', { authorization: 'Basic eDp5' }],
    [403, 'a key that is none', { authorization: 'vapid t=a.b.c, k=x' }],
  ])('gets %i with %s', async (status, _what, headers) => {
    expect((await push(providers.tokens.issue('webpush'), headers)).status).toBe(status)
  })

  it.each(['very-low', 'low', 'normal', 'high'])('is taken with the Urgency %s', async (urgency) => {
    expect((await push(providers.tokens.issue('webpush'), { urgency, topic: 'x'.repeat(32) })).status).toBe(201)
  })

  it('has at most 4096 bytes', async () => {
    const subscription = providers.tokens.issue('webpush')
    const most = 4096 - 86 - 17
    expect((await push(subscription, {}, encrypt(subscription, 'x'.repeat(most)))).status).toBe(201)
    expect((await push(subscription, {}, encrypt(subscription, 'x'.repeat(most + 1)))).status).toBe(413)
  })

  it('to a subscription that is not, or no more', async () => {
    const subscription = providers.tokens.issue('webpush')
    const { endpoint } = subscription
    expect((await push({ ...subscription, endpoint: `${endpoint}x` })).status).toBe(404)
    expect((await askHttps(providers, `${providers.webPushOrigin}/other`, {}, '')).status).toBe(404)
    providers.tokens.kill('webpush', JSON.stringify(subscription))
    expect((await push(subscription)).status).toBe(410)
    providers.tokens.revive('webpush', endpoint)
    expect((await push(subscription)).status).toBe(201)
  })
})

describe('VAPID', () => {
  it.each<[string, object]>([
    ['another audience', { aud: 'https://push.example.com' }],
    ['an end in the past', { exp: nowSeconds() - 1 }],
    ['more than 24 hours', { exp: nowSeconds() + 24 * 3600 + 60 }],
    ['no subject', { sub: undefined }],
    ['a subject that is no address', { sub: 'ops@example.com' }],
  ])('with %s is refused', async (_what, claims) => {
    const authorization = await authorize(claims)
    expect((await push(providers.tokens.issue('webpush'), { authorization })).status).toBe(403)
  })

  it('takes an https subject', async () => {
    const authorization = await authorize({ sub: 'https://example.com/contact' })
    expect((await push(providers.tokens.issue('webpush'), { authorization })).status).toBe(201)
  })

  it('with a signature of another key is refused', async () => {
    const authorization = await authorize({}, createVapidPair(), vapid.key)
    expect((await push(providers.tokens.issue('webpush'), { authorization })).status).toBe(403)
  })

  it('with another key than the subscription was made for is refused', async () => {
    const authorization = await authorize({}, createVapidPair())
    expect((await push(providers.tokens.issue('webpush', undefined, vapid.key), { authorization })).status).toBe(403)
    expect((await push(providers.tokens.issue('webpush'), { authorization })).status).toBe(201)
  })
})
