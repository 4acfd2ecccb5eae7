import { describe, expect, it } from 'vitest'
import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { answered, oddBodies } from '../answers.test-support.ts'
import { readFcmAnswer } from './read-fcm-answer.ts'

const now = new Date('2026-03-01T12:00:00Z')

function failed(status: number, word: string, details: object[] = [], headers = {}): PoolAnswer {
  return answered(status, { error: { code: status, status: word, message: 'In words.', details } }, headers)
}
const fcmError = (errorCode: string) => ({ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode })
const violations = (...fields: string[]) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: fields.map((field) => ({ field, description: 'x' })),
})
const quota = (...subjects: string[]) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: subjects.map((subject) => ({ subject, description: 'x' })),
})

const rows: [row: string, answer: PoolAnswer, outcome: Partial<Outcome>][] = [
  ['200 with a name', answered(200, { name: 'projects/p/messages/1' }), { kind: 'accepted' }],
  ['200 without a name', answered(200, '<html>'), { kind: 'unknown' }],
  ['404 UNREGISTERED', failed(404, 'NOT_FOUND', [fcmError('UNREGISTERED')]), { kind: 'gone' }],
  [
    '404 of somebody else',
    answered(404, '<html>not here</html>'),
    { kind: 'later', retryAfterMs: 60_000, isForAll: false },
  ],
  ['404 without the word', failed(404, 'NOT_FOUND'), { kind: 'later', isForAll: false }],
  [
    '400 that names the token',
    failed(400, 'INVALID_ARGUMENT', [fcmError('INVALID_ARGUMENT'), violations('message.token')]),
    { kind: 'gone' },
  ],
  ['400 that names another field', failed(400, 'INVALID_ARGUMENT', [violations('message.data')]), { kind: 'refused' }],
  ['400 that names nothing', failed(400, 'INVALID_ARGUMENT', [fcmError('INVALID_ARGUMENT')]), { kind: 'refused' }],
  [
    '400 of another kind that names the token',
    failed(400, 'FAILED_PRECONDITION', [violations('message.token')]),
    { kind: 'refused' },
  ],
  [
    '403 SENDER_ID_MISMATCH',
    failed(403, 'PERMISSION_DENIED', [fcmError('SENDER_ID_MISMATCH')]),
    { kind: 'refused', isForeign: true },
  ],
  ['403 otherwise', failed(403, 'PERMISSION_DENIED'), { kind: 'paused' }],
  ['401', failed(401, 'UNAUTHENTICATED'), { kind: 'paused' }],
  [
    '401 THIRD_PARTY_AUTH_ERROR',
    failed(401, 'UNAUTHENTICATED', [fcmError('THIRD_PARTY_AUTH_ERROR')]),
    { kind: 'paused' },
  ],
  [
    '429',
    failed(429, 'RESOURCE_EXHAUSTED', [fcmError('QUOTA_EXCEEDED')]),
    { kind: 'later', retryAfterMs: 60_000, isForAll: true, isQuota: true },
  ],
  [
    '429 with a time',
    failed(429, 'RESOURCE_EXHAUSTED', [], { 'retry-after': '7' }),
    { kind: 'later', retryAfterMs: 7_000, isForAll: true, isQuota: true },
  ],
  [
    '429 with a negative time',
    failed(429, 'RESOURCE_EXHAUSTED', [], { 'retry-after': '-7' }),
    { kind: 'later', retryAfterMs: 60_000 },
  ],
  [
    '429 with "now"',
    failed(429, 'RESOURCE_EXHAUSTED', [], { 'retry-after': '0' }),
    { kind: 'later', retryAfterMs: 1_000 },
  ],
  ['429 of one device', failed(429, 'RESOURCE_EXHAUSTED', [quota('device:abc')]), { kind: 'later', isForAll: false }],
  ['500', failed(500, 'INTERNAL'), { kind: 'later', retryAfterMs: 10_000, isForAll: false }],
  ['503', failed(503, 'UNAVAILABLE'), { kind: 'later', retryAfterMs: 10_000, isForAll: false }],
  [
    '503 with a time',
    failed(503, 'UNAVAILABLE', [], { 'retry-after': '120' }),
    { kind: 'later', retryAfterMs: 120_000, isForAll: true },
  ],
  ['502 as a page', answered(502, '<html>'), { kind: 'later', retryAfterMs: 10_000 }],
  ['a redirect', answered(302, '', { location: 'https://elsewhere.example' }), { kind: 'later' }],
  ['408', answered(408), { kind: 'later' }],
  ['413', answered(413), { kind: 'refused' }],
  ['no answer after it was written', { kind: 'unclear', detail: 'reset' }, { kind: 'unknown', detail: 'reset' }],
  ['not sent', { kind: 'not-sent', detail: 'refused' }, { kind: 'later', isForAll: false, detail: 'refused' }],
]

describe('an answer of FCM', () => {
  it.each(rows)('%s', (_, answer, outcome) => expect(readFcmAnswer(answer, now)).toMatchObject(outcome))

  it.each(Object.entries(oddBodies))('never throws and never removes a token at %s', (_, body) => {
    for (const status of [200, 204, 301, 400, 401, 403, 404, 410, 429, 500, 503, 599]) {
      expect(readFcmAnswer(answered(status, body), now).kind).not.toMatch(/gone|accepted/)
    }
  })

  it('says in plain words what a 403 means', () => {
    const disabled = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' }
    expect(readFcmAnswer(failed(403, 'PERMISSION_DENIED', [disabled]), now)).toMatchObject({
      detail: expect.stringContaining('is not enabled in this project'),
    })
    expect(readFcmAnswer(failed(403, 'PERMISSION_DENIED'), now)).toMatchObject({
      detail: expect.stringContaining('give it the role'),
    })
  })

  it('keeps little of what it was told', () => {
    const outcome = readFcmAnswer(
      answered(400, { error: { status: 'X', message: `a\n\u0000b${'c'.repeat(5_000)}` } }),
      now,
    )
    expect((outcome as { detail: string }).detail.length).toBeLessThan(300)
    expect((outcome as { detail: string }).detail).toContain('(a bccc')
  })
})
