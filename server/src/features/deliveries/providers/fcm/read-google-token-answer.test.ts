import { describe, expect, it } from 'vitest'
import type { PoolAnswer } from '#base/http-client/pool.ts'
import { answered, oddBodies } from '../answers.test-support.ts'
import { readGoogleTokenAnswer } from './read-google-token-answer.ts'

const now = new Date('2026-03-01T12:00:00Z')
const grant = (description: string) => answered(400, { error: 'invalid_grant', error_description: description })
const paused = (words: string) => ({ kind: 'paused', detail: expect.stringContaining(words) })

const rows: [row: string, answer: PoolAnswer, expected: object][] = [
  [
    'a token',
    answered(200, { access_token: 'ya29.x', expires_in: 3599 }),
    { kind: 'token', token: 'ya29.x', livesMs: 3_599_000 },
  ],
  ['a token without its life', answered(200, { access_token: 'x' }), { kind: 'token', livesMs: 3_600_000 }],
  [
    'a token that ends at once',
    answered(200, { access_token: 'x', expires_in: -5 }),
    { kind: 'token', livesMs: 60_000 },
  ],
  ['a token that would break a header', answered(200, { access_token: 'a\r\nb' }), { kind: 'later', isForAll: true }],
  ['a wrong key', grant('Invalid JWT Signature.'), paused('not of this service account')],
  ['a deleted account', grant('Invalid grant: account not found'), paused('was deleted')],
  ['a disabled account', grant('Account has been disabled'), paused('is disabled')],
  [
    'a wrong clock',
    grant('Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.'),
    paused('the clock'),
  ],
  ['another grant fault', grant('Something'), paused('does not take this service account')],
  ['401', answered(401, { error: 'invalid_client' }), paused('does not take')],
  ['429', answered(429, ''), { kind: 'later', retryAfterMs: 60_000, isForAll: true }],
  [
    '503 with a time',
    answered(503, '', { 'retry-after': '9' }),
    { kind: 'later', retryAfterMs: 9_000, isForAll: true },
  ],
  ['no answer', { kind: 'unclear', detail: 'timeout' }, { kind: 'later', isForAll: true }],
  ['not sent', { kind: 'not-sent', detail: 'x' }, { kind: 'later', isForAll: true }],
]

describe('an answer of the token endpoint of Google', () => {
  it.each(rows)('%s', (_, answer, expected) => expect(readGoogleTokenAnswer(answer, now)).toMatchObject(expected))

  it.each(Object.entries(oddBodies))('is no token at %s', (_, body) => {
    for (const status of [200, 302, 400, 500]) {
      expect(readGoogleTokenAnswer(answered(status, body), now).kind).not.toBe('token')
    }
  })
})
