import { generateKeyPairSync } from 'node:crypto'
import type { ClientHttp2Session } from 'node:http2'
import { poll } from '@peyk/test/runner/poll.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ask,
  askHttps,
  fetchAccessToken,
  formHeaders,
  nowSeconds,
  openSession,
  signAssertion,
  startTestProviders,
  tokenForm,
} from '../providers.test-support.ts'
import type { Providers } from '../start-providers.ts'

let providers: Providers
let session: ClientHttp2Session
let bearer: string

beforeAll(async () => {
  providers = await startTestProviders()
  session = openSession(providers, providers.fcmUrl)
  bearer = `Bearer ${await fetchAccessToken(providers)}`
})
afterAll(async () => {
  session.close()
  await providers.close()
})
beforeEach(() => providers.record.clear())

const sendPath = () => `/v1/projects/${providers.credentials.fcm.project_id}/messages:send`
const send = (body: unknown, headers: Record<string, string> = {}, path = sendPath()) =>
  ask(session, path, { authorization: bearer, ...headers }, typeof body === 'string' ? body : JSON.stringify(body))

describe('the OAuth endpoint', () => {
  const exchange = (assertion: string) => askHttps(providers, providers.oauthUrl, formHeaders, tokenForm(assertion))

  it('gives an access token for a JWT that the service account signed', async () => {
    const answer = await exchange(await signAssertion(providers))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  })

  it('gives it over plain HTTP and HTTP/2 too', async () => {
    const plain = await fetch(`${providers.fcmUrl}/token`, {
      method: 'POST',
      headers: formHeaders,
      body: tokenForm(await signAssertion(providers, { aud: `${providers.fcmUrl}/token` })),
    })
    expect(plain.status).toBe(200)
    const overHttp2 = await ask(session, '/token', formHeaders, tokenForm(await signAssertion(providers)))
    expect(overHttp2.status).toBe(200)
  })

  it.each([
    ['another account', { iss: 'someone@else.example' }, 'invalid_grant'],
    ['another audience', { aud: 'https://example.com/token' }, 'invalid_grant'],
    ['another scope', { scope: 'https://www.googleapis.com/auth/drive' }, 'invalid_scope'],
    ['an end in the past', { iat: nowSeconds() - 7200, exp: nowSeconds() - 3600 }, 'invalid_grant'],
    ['a life of more than an hour', { exp: nowSeconds() + 7200 }, 'invalid_grant'],
    ['a beginning in the future', { iat: nowSeconds() + 1000, exp: nowSeconds() + 2000 }, 'invalid_grant'],
    ['no end', { exp: undefined }, 'invalid_grant'],
  ])('refuses %s', async (_what, claims, error) => {
    const answer = await exchange(await signAssertion(providers, claims))
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).error).toBe(error)
  })

  it('refuses a signature of another key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const answer = await exchange(await signAssertion(providers, {}, pem))
    expect(JSON.parse(answer.body)).toEqual({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
  })

  it('refuses what is no JWT and another grant type', async () => {
    expect((await exchange('nonsense')).status).toBe(400)
    const answer = await askHttps(providers, providers.oauthUrl, formHeaders, 'grant_type=password')
    expect(JSON.parse(answer.body).error).toBe('unsupported_grant_type')
  })
})

describe('messages:send', () => {
  it('takes a message, records it and hands it over', async () => {
    const taken: unknown[] = []
    const stop = providers.onTaken((push) => taken.push(push))
    const token = providers.tokens.issue('fcm', 'phone-1')
    const message = {
      token,
      data: { messageId: 'm1', title: 'سلام' },
      android: { ttl: '3600s', priority: 'high', collapse_key: 'c', notification: { tag: 'm1', color: '#ff0000' } },
    }
    const answer = await send({ message })
    stop()
    expect(answer.status).toBe(200)
    const { name } = JSON.parse(answer.body)
    expect(name).toMatch(new RegExp(`^projects/${providers.credentials.fcm.project_id}/messages/.`))
    expect(providers.record.list()).toMatchObject([
      { no: 1, provider: 'fcm', token, tokenId: 'phone-1', messageId: 'm1', payload: message, answer: { status: 200 } },
    ])
    expect(providers.record.list()[0]?.stream).toBeGreaterThan(0)
    expect(taken).toMatchObject([
      { provider: 'fcm', tokenId: 'phone-1', messageId: 'm1', pushId: name, collapseKey: 'c', payload: message },
    ])
  })

  it('takes it over TLS, with HTTP/2 and HTTP/1.1', async () => {
    const body = JSON.stringify({ message: { token: providers.tokens.issue('fcm') } })
    const secure = openSession(providers, providers.fcmTlsUrl)
    expect((await ask(secure, sendPath(), { authorization: bearer }, body)).status).toBe(200)
    secure.close()
    const url = `${providers.fcmTlsUrl}${sendPath()}`
    expect((await askHttps(providers, url, { authorization: bearer }, body)).status).toBe(200)
  })

  it('checks a message without handing it over when asked to validate only', async () => {
    const taken: unknown[] = []
    const stop = providers.onTaken((push) => taken.push(push))
    const token = providers.tokens.issue('fcm')
    expect((await send({ message: { token }, validate_only: true })).status).toBe(200)
    providers.tokens.kill('fcm', token)
    expect((await send({ message: { token }, validateOnly: true })).status).toBe(404)
    stop()
    expect(taken).toEqual([])
    expect(providers.record.list()).toMatchObject([
      { isValidateOnly: true, isTaken: false },
      { isValidateOnly: true, isTaken: false },
    ])
  })

  it('answers UNREGISTERED for a dead token and takes it again when it has come back', async () => {
    const token = providers.tokens.issue('fcm')
    providers.tokens.kill('fcm', token)
    const answer = await send({ message: { token } })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: 404,
      status: 'NOT_FOUND',
      details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }],
    })
    providers.tokens.revive('fcm', token)
    expect((await send({ message: { token } })).status).toBe(200)
  })

  it('names message.token when the token is none', async () => {
    const answer = await send({ message: { token: 'nonsense' } })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      details: [
        { errorCode: 'INVALID_ARGUMENT' },
        { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'message.token' }] },
      ],
    })
  })

  it("answers SENDER_ID_MISMATCH for another project's token", async () => {
    const answer = await send({ message: { token: `cafe:APA91b${'x'.repeat(130)}` } })
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.body).error.details[0].errorCode).toBe('SENDER_ID_MISMATCH')
  })

  it.each<[string, object, string]>([
    ['a number in data', { data: { a: 1 } }, 'message.data'],
    ['a reserved key in data', { data: { from: 'me' } }, 'message.data'],
    ['a ttl without its unit', { android: { ttl: '3600' } }, 'message.android.ttl'],
    ['a ttl that is a number', { android: { ttl: 3600 } }, 'message.android.ttl'],
    ['a ttl of more than 28 days', { android: { ttl: '2419201s' } }, 'message.android.ttl'],
    ['a negative ttl', { android: { ttl: '-1s' } }, 'message.android.ttl'],
    ['an unknown priority', { android: { priority: 'urgent' } }, 'message.android.priority'],
    ['a wrong colour', { android: { notification: { color: 'red' } } }, 'message.android.notification.color'],
    ['an unknown field', { android: { notification: { titel: 'x' } } }, 'message.android.notification'],
    ['an unknown block', { ios: {} }, 'message'],
    ['a header that is a number', { apns: { headers: { 'apns-priority': 10 } } }, 'message.apns.headers'],
    ['a payload that is no object', { apns: { payload: 'x' } }, 'message.apns.payload'],
    ['a web push link that is a number', { webpush: { fcm_options: { link: 1 } } }, 'message.webpush.fcm_options.link'],
    ['a second target', { topic: 'news' }, 'message'],
    ['more than 4096 bytes', { data: { a: 'x'.repeat(4097) } }, 'message'],
    ['a block that is a text', { android: 'x' }, 'message.android'],
  ])('refuses %s and says where', async (_what, part, field) => {
    const answer = await send({ message: { token: providers.tokens.issue('fcm'), ...part } })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body).error.details[1].fieldViolations[0].field).toBe(field)
  })

  it.each([
    ['a ttl of 0', { android: { ttl: '0s' } }],
    ['a ttl of 28 days', { android: { ttl: '2419200s' } }],
    ['a fraction', { android: { ttl: '1.5s' } }],
    ['names in camel case', { android: { collapseKey: 'x', notification: { channelId: 'x', clickAction: 'y' } } }],
    [
      'all blocks',
      { notification: { title: 'x' }, apns: { payload: { aps: {} } }, webpush: { notification: { a: 1 } } },
    ],
  ])('takes %s', async (_what, part) => {
    expect((await send({ message: { token: providers.tokens.issue('fcm'), ...part } })).status).toBe(200)
  })

  it.each(['', 'nonsense', '[]', '{"message":[]}', '{}', `{"__proto__":1}`])('refuses the body %j', async (body) => {
    expect((await send(body)).status).toBe(400)
  })

  it('refuses without a token, with a made-up one, and after all have expired', async () => {
    const message = { token: providers.tokens.issue('fcm') }
    expect((await send({ message }, { authorization: '' })).status).toBe(401)
    expect((await send({ message }, { authorization: `${bearer}x` })).status).toBe(401)
    const old = await fetchAccessToken(providers)
    expect((await send({ message }, { authorization: `Bearer ${old}` })).status).toBe(200)
    providers.expireAccessTokens()
    const answer = await send({ message }, { authorization: `Bearer ${old}` })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body).error.status).toBe('UNAUTHENTICATED')
    await poll(async () => {
      bearer = `Bearer ${await fetchAccessToken(providers)}`
      return (await send({ message })).status
    }).toBe(200)
  })

  it('refuses another project and does not know other paths', async () => {
    const message = { token: providers.tokens.issue('fcm') }
    expect((await send({ message }, {}, '/v1/projects/another/messages:send')).status).toBe(403)
    expect((await send({ message }, {}, '/v1/other')).status).toBe(404)
  })
})

it('lets access tokens end when their time is over', async () => {
  let now = Date.now()
  const short = await startTestProviders({ accessTokenSeconds: 60, now: () => now })
  const line = openSession(short, short.fcmUrl)
  const authorization = `Bearer ${await fetchAccessToken(short)}`
  const body = JSON.stringify({ message: { token: short.tokens.issue('fcm') } })
  expect((await ask(line, sendPath(), { authorization }, body)).status).toBe(200)
  now += 60_000
  expect((await ask(line, sendPath(), { authorization }, body)).status).toBe(401)
  line.close()
  await short.close()
})
