import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import { readApnsCredentials } from '#features/accounts/credential-formats/apns.ts'
import type { Payload } from '#features/messages/payloads/payload.ts'
import { createOpener, optionsFor, pushTo, rule, startSimulated } from '../simulated.test-support.ts'
import { openApns } from './apns.ts'
import { openApnsTokens } from './apns-tokens.ts'
import { hintsAtWrongEnvironment } from './read-apns-answer.ts'

const store = await createTestStore()
/** A test turns back the clock of the stored token, which Apple would take for a renewal too soon. */
const apple = await startSimulated({ apnsRenewalSeconds: 0 })
const open = createOpener(openApns)
const secretBox = createSecretBox([randomBytes(32)])
const { key, ...ids } = apple.credentials.apns
const credentials = readApnsCredentials({ ...ids, privateKey: key })
const payload: Payload = {
  provider: 'apns',
  body: '{"aps":{"alert":"hello"},"messageId":"m-1"}',
  pushType: 'alert',
  priority: 10,
  collapseId: 'm-1',
}

const newTokens = () => openApnsTokens({ store, secretBox, log: silentLog })
const newApns = (more = {}) => open({ ...credentials, ...more }, optionsFor(apple, { apnsTokens: newTokens() }))
const newPush = (token = apple.tokens.issue('apns'), more = {}) => pushTo(token, payload, more)

describe('APNs', () => {
  it('accepts a push with all that Apple asks for', async () => {
    const token = apple.tokens.issue('apns')
    const expiresAt = new Date(Date.now() + 60_000)
    const push = newPush(token, { expiresAt })
    expect(await newApns().send(push)).toEqual({ kind: 'accepted' })
    const [received] = apple.record.list()
    expect(received).toMatchObject({
      token,
      isTaken: true,
      payload: { aps: { alert: 'hello' } },
      headers: {
        'apns-topic': credentials.bundleId,
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-collapse-id': 'm-1',
        'apns-expiration': String(Math.floor(expiresAt.getTime() / 1_000)),
      },
    })
    await newApns().send(push)
    expect(apple.record.list()[1]?.headers['apns-id']).toBe(received?.headers['apns-id'])
  })

  it('keeps to one request until the first answer, and sends many then', async () => {
    const apns = newApns()
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => apns.send(newPush())))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
    expect(apple.record.countAll().apns).toMatchObject({ received: 200, taken: 200 })
  })

  it('tells a dead token from one that the device gave again since', async () => {
    const token = apple.tokens.issue('apns')
    const diedAt = Date.now() - 60_000
    apple.tokens.kill('apns', token, diedAt)
    const apns = newApns()
    expect(await apns.send(newPush(token, { tokenChangedAt: new Date(diedAt - 1) }))).toMatchObject({ kind: 'gone' })
    expect(await apns.send(newPush(token, { tokenChangedAt: new Date(diedAt + 1) }))).toMatchObject({ kind: 'later' })
  })

  it('gives a hint when a token is of the other environment, and asks nothing for what is no token', async () => {
    const apns = newApns()
    const outcome = await apns.send(newPush('ab'.repeat(32)))
    expect(outcome).toMatchObject({ kind: 'gone', detail: expect.stringContaining('BadDeviceToken') })
    expect(hintsAtWrongEnvironment(outcome)).toBe(true)
    expect(await apns.send(newPush('../../etc'))).toMatchObject({ kind: 'refused' })
    expect(apple.record.list()).toHaveLength(1)
  })

  it.each([
    [{ status: 410, reason: 'Unregistered', timestamp: 1 }, { kind: 'gone' }],
    [{ reason: 'DeviceTokenNotForTopic' }, { kind: 'refused' }],
    [{ reason: 'TopicDisallowed' }, { kind: 'refused' }],
    [{ reason: 'PayloadTooLarge' }, { kind: 'refused' }],
    [{ reason: 'InvalidProviderToken' }, { kind: 'paused' }],
    [{ reason: 'TooManyRequests' }, { kind: 'later', isForAll: false }],
    [{ reason: 'TooManyProviderTokenUpdates' }, { kind: 'later', isForAll: true }],
    [{ status: 500 }, { kind: 'later', retryAfterMs: 10_000 }],
    [
      { status: 503, retryAfter: 40 },
      { kind: 'later', retryAfterMs: 40_000, isForAll: true },
    ],
    [rule({ action: 'html' }), { kind: 'later' }],
    [rule({ action: 'rst' }), { kind: 'unknown' }],
    [rule({ action: 'reset' }), { kind: 'unknown' }],
  ])('makes of %j what the table says', async (fault, outcome) => {
    apple.faults.set('apns', [fault])
    expect(await newApns().send(newPush())).toMatchObject(outcome)
    expect(apple.record.list()).toHaveLength(1)
  })

  it('sends again with the same id what a GOAWAY refused', async () => {
    const apns = newApns()
    await apns.send(newPush())
    apple.faults.set('apns', [rule({ match: { first: 1 }, action: 'goaway', lastStream: 'below' })])
    expect(await apns.send(newPush())).toEqual({ kind: 'accepted' })
    const [, refused, accepted] = apple.record.list()
    expect([refused?.isTaken, accepted?.isTaken]).toEqual([false, true])
    expect(accepted?.headers['apns-id']).toBe(refused?.headers['apns-id'])
  })

  it('renews its token once when Apple calls it expired, not before 20 minutes', async () => {
    apple.faults.set('apns', [{ reason: 'ExpiredProviderToken', match: { first: 1 } }])
    expect(await newApns().send(newPush())).toMatchObject({ kind: 'paused', detail: expect.stringContaining('clock') })
    await store.query(sql`update apns_tokens set issued_at = issued_at - interval '21 minutes'`)
    apple.faults.set('apns', [{ reason: 'ExpiredProviderToken' }])
    const before = await storedToken()
    expect(await newApns().send(newPush())).toMatchObject({ kind: 'paused' })
    expect(await storedToken()).not.toBe(before)
    expect(apple.record.list()).toHaveLength(3)
  })

  it('asks whether a token lives with a push that shows nothing', async () => {
    const [living, dead] = [apple.tokens.issue('apns'), apple.tokens.issue('apns')]
    apple.tokens.kill('apns', dead)
    const apns = open(credentials, optionsFor(apple, { apnsTokens: newTokens() }))
    expect(await apns.checkToken?.(living, null)).toEqual({ kind: 'accepted' })
    expect(await apns.checkToken?.(dead, null)).toMatchObject({ kind: 'gone' })
    expect(apple.record.list()).toMatchObject([
      {
        payload: { aps: { 'content-available': 1 } },
        headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
      },
      {},
    ])
  })

  async function storedToken() {
    const [row] = await store.query<{ sealed: Buffer }>(
      sql`select sealed from apns_tokens where key_id = ${credentials.keyId} order by issued_at desc`,
    )
    return row && secretBox.open(row.sealed)
  }
})

describe('the credentials of APNs', () => {
  it('are right when only the token is called bad', async () => {
    expect(await newApns().checkCredentials()).toEqual({ kind: 'accepted' })
    expect(apple.record.countAll().apns.taken).toBe(0)
  })

  it.each([
    ['a key of somebody else', { privateKey: newKey() }, /InvalidProviderToken: the key id, the team id/],
    ['a wrong key id', { keyId: 'AAAAAAAAAA' }, /InvalidProviderToken/],
    ['a wrong bundle id', { bundleId: 'com.example.other' }, /is the bundle id right/],
  ])('are explained: %s', async (_, more, words) => {
    expect(await newApns(more).checkCredentials()).toMatchObject({
      kind: 'paused',
      detail: expect.stringMatching(words),
    })
  })

  it('are explained when they are for the other environment', async () => {
    apple.faults.set('apns', [{ status: 403, reason: 'BadCertificateEnvironment' }])
    expect(await newApns().checkCredentials()).toMatchObject({
      kind: 'paused',
      detail: expect.stringContaining('sandbox'),
    })
  })

  function newKey() {
    return generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
  }
})
