import { describe, expect, it } from 'vitest'
import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { answered, oddBodies } from '../answers.test-support.ts'
import { hintsAtWrongEnvironment, isExpiredProviderToken, readApnsAnswer } from './read-apns-answer.ts'

const now = new Date('2026-03-01T12:00:00Z')
const changedAt = new Date('2026-02-01T00:00:00Z')
const reason = (status: number, word: string, more = {}, headers = {}) =>
  answered(status, { reason: word, ...more }, headers)

const rows: [row: string, answer: PoolAnswer, outcome: Partial<Outcome>][] = [
  ['200', answered(200), { kind: 'accepted' }],
  [
    '410, dead after our token came',
    reason(410, 'Unregistered', { timestamp: changedAt.getTime() + 1 }),
    { kind: 'gone' },
  ],
  [
    '410, dead before our token came',
    reason(410, 'Unregistered', { timestamp: changedAt.getTime() - 1 }),
    { kind: 'later', isForAll: false },
  ],
  ['410 without a timestamp', reason(410, 'Unregistered'), { kind: 'gone' }],
  ['410 ExpiredToken', reason(410, 'ExpiredToken', { timestamp: now.getTime() }), { kind: 'gone' }],
  ['410 of somebody else', answered(410, '<html>'), { kind: 'later' }],
  ['400 BadDeviceToken', reason(400, 'BadDeviceToken'), { kind: 'gone' }],
  ['400 DeviceTokenNotForTopic', reason(400, 'DeviceTokenNotForTopic'), { kind: 'refused' }],
  ['400 TopicDisallowed', reason(400, 'TopicDisallowed'), { kind: 'refused' }],
  ['400 BadCollapseId', reason(400, 'BadCollapseId'), { kind: 'refused' }],
  ['400 IdleTimeout', reason(400, 'IdleTimeout'), { kind: 'later', isForAll: false }],
  ['413 PayloadTooLarge', reason(413, 'PayloadTooLarge'), { kind: 'refused' }],
  ['403 InvalidProviderToken', reason(403, 'InvalidProviderToken'), { kind: 'paused' }],
  ['403 ExpiredProviderToken', reason(403, 'ExpiredProviderToken'), { kind: 'paused' }],
  ['403 BadCertificateEnvironment', reason(403, 'BadCertificateEnvironment'), { kind: 'paused' }],
  ['404 BadPath', reason(404, 'BadPath'), { kind: 'later' }],
  ['429 TooManyRequests', reason(429, 'TooManyRequests'), { kind: 'later', retryAfterMs: 60_000, isForAll: false }],
  ['429 TooManyProviderTokenUpdates', reason(429, 'TooManyProviderTokenUpdates'), { kind: 'later', isForAll: true }],
  ['500', reason(500, 'InternalServerError'), { kind: 'later', retryAfterMs: 10_000, isForAll: false }],
  [
    '503',
    reason(503, 'ServiceUnavailable', {}, { 'retry-after': '20' }),
    { kind: 'later', retryAfterMs: 20_000, isForAll: true },
  ],
  ['503 Shutdown', reason(503, 'Shutdown'), { kind: 'later', retryAfterMs: 10_000 }],
  ['no answer', { kind: 'unclear', detail: 'timeout' }, { kind: 'unknown' }],
  ['refused stream', { kind: 'not-sent', detail: 'GOAWAY' }, { kind: 'later', isForAll: false }],
]

describe('an answer of APNs', () => {
  it.each(rows)('%s', (_, answer, outcome) => expect(readApnsAnswer(answer, now, changedAt)).toMatchObject(outcome))

  it('takes a token of unknown age as older than the timestamp', () => {
    expect(readApnsAnswer(reason(410, 'Unregistered', { timestamp: 1 }), now, null).kind).toBe('gone')
  })

  it.each(Object.entries(oddBodies))('never throws and never removes a token at %s', (_, body) => {
    for (const status of [204, 301, 400, 401, 403, 404, 410, 429, 500, 503]) {
      expect(readApnsAnswer(answered(status, body), now, changedAt).kind).not.toMatch(/gone|accepted/)
    }
  })

  it('tells which answers may mean the wrong environment, and which ask for a new token', () => {
    expect(hintsAtWrongEnvironment(readApnsAnswer(reason(400, 'BadDeviceToken'), now, null))).toBe(true)
    expect(hintsAtWrongEnvironment(readApnsAnswer(reason(410, 'Unregistered'), now, null))).toBe(false)
    expect(isExpiredProviderToken(reason(403, 'ExpiredProviderToken'))).toBe(true)
    expect(isExpiredProviderToken(reason(403, 'InvalidProviderToken'))).toBe(false)
  })
})
