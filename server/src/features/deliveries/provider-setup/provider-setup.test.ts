import { describe, expect, it } from 'vitest'
import { createWebPushCredentials } from '../../accounts/credential-formats/web-push.ts'
import { makeApnsKey, makeServiceAccount, twilio } from '../../accounts/providers/credentials.test-support.ts'
import { readCredentials } from '../../accounts/providers/read-credentials.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import type { Outcome } from '../provider.ts'
import { describeCredentials } from './describe-credentials.ts'
import { readOutcome } from './read-outcome.ts'
import { signs } from './try-key.ts'

const describeSent = (provider: CredentialProvider, sent: object) =>
  describeCredentials(provider, readCredentials(provider, sent, undefined).credentials)

describe('an examination of credentials, before it asks anybody,', () => {
  it('says whose key it is, and that it signs', () => {
    expect(describeSent('fcm', makeServiceAccount())).toMatchObject([
      {
        ok: true,
        text: 'This is the service account push@shop-1a2b3.iam.gserviceaccount.com of the Firebase project shop-1a2b3.',
      },
      { ok: true, text: 'The private key can be read and signs.' },
    ])
    expect(describeSent('apns', makeApnsKey({ environment: 'sandbox' })).map(({ text }) => text)).toEqual([
      'This is the key ABC123DEFG of the team DEF123GHIJ, for the app com.example.shop.',
      'The private key can be read and signs.',
      expect.stringContaining('The environment is sandbox: apps run from Xcode.'),
    ])
    const pair = createWebPushCredentials('mailto:push@shop.example')
    expect(describeSent('webpush', pair)).toMatchObject([
      { ok: true, text: expect.stringContaining(pair.publicKey) },
      { ok: true, text: 'The private key can be read and signs.' },
    ])
  })

  it('never repeats a secret', () => {
    const gateway = {
      kind: 'http',
      method: 'GET',
      url: 'https://sms.example.com/send?password=hunter2&to={{to}}&text={{text}}',
      headers: { authorization: 'Basic c2VjcmV0' },
    }
    const texts = JSON.stringify([describeSent('sms', gateway), describeSent('sms', twilio)])
    expect(texts).toContain('SMS are sent to https://sms.example.com with GET.')
    for (const secret of ['hunter2', 'c2VjcmV0', twilio.authToken]) expect(texts).not.toContain(secret)
  })

  it('knows a key that does not sign', () => {
    expect(signs({ pem: 'no key' })).toBe(false)
    const [one, other] = [
      createWebPushCredentials('mailto:a@b.example'),
      createWebPushCredentials('mailto:a@b.example'),
    ]
    expect(signs(one)).toBe(true)
    expect(signs({ publicKey: one.publicKey, privateKey: other.privateKey })).toBe(false)
  })
})

describe('the answer to "do you take these?"', () => {
  it.each<[Outcome, Omit<ReturnType<typeof readOutcome>, 'isProven'>]>([
    [
      { kind: 'accepted' },
      { verdict: 'good', finding: { ok: true, text: 'Apple accepts the credentials.', code: 'taken' } },
    ],
    [
      { kind: 'accepted', detail: 'the key pair signs' },
      { verdict: 'good', finding: { ok: true, text: 'The key pair signs.' } },
    ],
    [
      { kind: 'paused', detail: 'APNs 403 InvalidProviderToken: the key was revoked' },
      {
        verdict: 'bad',
        finding: {
          ok: false,
          text: 'Apple refuses the credentials: APNs 403 InvalidProviderToken: the key was revoked.',
        },
      },
    ],
    [
      { kind: 'refused', detail: 'APNs 405' },
      {
        verdict: 'bad',
        finding: {
          ok: false,
          text: 'Apple refuses the credentials: APNs 405.',
          code: 'not-taken',
          values: { provider: 'apns', detail: 'APNs 405.' },
        },
      },
    ],
    [
      { kind: 'later', retryAfterMs: 1, isForAll: false, detail: 'ECONNREFUSED' },
      { verdict: 'unasked', finding: { ok: false, text: 'Apple could not be asked: ECONNREFUSED.', code: 'unasked' } },
    ],
    [
      { kind: 'later', retryAfterMs: 1, isForAll: false, isFault: true, detail: 'the host name is not known' },
      {
        verdict: 'unasked',
        finding: {
          ok: false,
          text: 'Apple could not be reached: the host name is not known.',
          code: 'unasked',
          values: { provider: 'apns', detail: 'the host name is not known.', fault: 'name-not-found' },
        },
      },
    ],
    [
      { kind: 'later', retryAfterMs: 1, isForAll: false, isFault: true, detail: 'APNs 503 ServiceUnavailable' },
      {
        verdict: 'unasked',
        finding: { ok: false, text: 'Apple could not be asked: APNs 503 ServiceUnavailable.', code: 'unasked' },
      },
    ],
    [
      { kind: 'unknown', detail: 'no answer within 15 s' },
      { verdict: 'unasked', finding: { ok: false, text: 'Apple could not be reached: no answer within 15 s.' } },
    ],
  ])('%j is understood', (outcome, expected) => {
    expect(readOutcome('apns', outcome)).toMatchObject(expected)
  })
})
