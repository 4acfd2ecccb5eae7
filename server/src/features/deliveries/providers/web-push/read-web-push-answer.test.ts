import { describe, expect, it } from 'vitest'
import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { answered, oddBodies } from '../answers.test-support.ts'
import { readWebPushAnswer } from './read-web-push-answer.ts'

const now = new Date('2026-03-01T12:00:00Z')

const rows: [row: string, answer: PoolAnswer, outcome: Partial<Outcome>][] = [
  ['201', answered(201), { kind: 'accepted' }],
  ['404', answered(404), { kind: 'gone' }],
  ['410', answered(410), { kind: 'gone' }],
  ['401', answered(401), { kind: 'paused' }],
  [
    '403',
    answered(403, 'invalid JWT provided'),
    { kind: 'paused', detail: expect.stringContaining('(invalid JWT provided)') },
  ],
  ['400', answered(400), { kind: 'refused' }],
  ['413', answered(413), { kind: 'refused' }],
  ['429', answered(429), { kind: 'later', retryAfterMs: 60_000, isForAll: false, isQuota: true }],
  [
    '429 with a time',
    answered(429, '', { 'retry-after': '15' }),
    { kind: 'later', retryAfterMs: 15_000, isForAll: false },
  ],
  ['500', answered(500), { kind: 'later', retryAfterMs: 10_000, isForAll: false }],
  [
    '503 with a time',
    answered(503, '', { 'retry-after': '33' }),
    { kind: 'later', retryAfterMs: 33_000, isForAll: false },
  ],
  ['a redirect', answered(307, '', { location: 'http://127.0.0.1/' }), { kind: 'later' }],
  ['no answer', { kind: 'unclear', detail: 'timeout' }, { kind: 'unknown' }],
  ['not sent', { kind: 'not-sent', detail: 'x' }, { kind: 'later' }],
]

describe('an answer of a push service', () => {
  it.each(rows)('%s', (_, answer, outcome) => expect(readWebPushAnswer(answer, now)).toMatchObject(outcome))

  it.each(Object.entries(oddBodies))('is read by its status alone, whatever it says: %s', (_, body) => {
    for (const [, answer, outcome] of rows) {
      if (answer.kind === 'answer') expect(readWebPushAnswer({ ...answer, body }, now).kind).toBe(outcome.kind)
    }
  })
})
