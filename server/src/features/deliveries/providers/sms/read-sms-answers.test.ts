import { describe, expect, it } from 'vitest'
import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { SuccessExpression } from '#features/accounts/credential-formats/http-gateway.ts'
import { answered, oddBodies } from '../answers.test-support.ts'
import { readGatewayAnswer } from './read-gateway-answer.ts'
import { readTwilioAnswer } from './read-twilio-answer.ts'
import type { SmsOutcome } from './sms-outcome.ts'

const now = new Date('2026-03-01T12:00:00Z')

const twilioRows: [row: string, answer: PoolAnswer, outcome: Partial<SmsOutcome>][] = [
  ['201 with an id', answered(201, { sid: 'SM1', status: 'queued' }), { kind: 'accepted', detail: 'SM1' }],
  ['201 without an id', answered(201, '<html>'), { kind: 'unknown' }],
  ['201 that failed at once', answered(201, { sid: 'SM1', status: 'failed' }), { kind: 'refused' }],
  [
    '400, not a phone number',
    answered(400, { code: 21211, message: "Invalid 'To' Phone Number" }),
    { kind: 'refused' },
  ],
  ['400, unsubscribed', answered(400, { code: 21610 }), { kind: 'refused' }],
  ['400, not our number', answered(400, { code: 21606 }), { kind: 'paused' }],
  ['401', answered(401, { code: 20003 }), { kind: 'paused' }],
  ['a code that is no number', answered(400, { code: { toString: null } }), { kind: 'refused' }],
  ['403', answered(403), { kind: 'paused' }],
  ['404 of the account', answered(404, { code: 20404 }), { kind: 'paused' }],
  ['429', answered(429, { code: 20429 }, { 'retry-after': '3' }), { kind: 'later', retryAfterMs: 3_000 }],
  ['500', answered(500), { kind: 'unknown' }],
  ['503', answered(503, '', { 'retry-after': '3' }), { kind: 'unknown' }],
  ['a redirect', answered(302), { kind: 'unknown' }],
  ['no answer', { kind: 'unclear', detail: 'timeout' }, { kind: 'unknown' }],
  ['not sent', { kind: 'not-sent', detail: 'refused' }, { kind: 'later' }],
]

const ok: SuccessExpression = { path: 'messages.0.status', equals: '0' }
const gatewayRows: [row: string, success: SuccessExpression, answer: PoolAnswer, outcome: Partial<SmsOutcome>][] = [
  ['any 2xx', {}, answered(202, 'whatever'), { kind: 'accepted' }],
  ['a status that is listed', { statuses: [200] }, answered(200), { kind: 'accepted' }],
  ['a 2xx that is not listed', { statuses: [200] }, answered(202), { kind: 'refused' }],
  ['the text', { contains: 'OK' }, answered(200, 'OK: 17'), { kind: 'accepted' }],
  ['another text', { contains: 'OK' }, answered(200, 'ERR: 4'), { kind: 'refused' }],
  ['the value', ok, answered(200, { messages: [{ status: '0' }] }), { kind: 'accepted' }],
  ['the value as a number', ok, answered(200, { messages: [{ status: 0 }] }), { kind: 'accepted' }],
  ['another value', ok, answered(200, { messages: [{ status: '4' }] }), { kind: 'refused' }],
  ['a value that is an object', ok, answered(200, { messages: [{ status: {} }] }), { kind: 'refused' }],
  ['no value', ok, answered(200, { messages: [] }), { kind: 'unknown' }],
  ['an inherited value', { path: 'constructor.name', equals: 'Object' }, answered(200, {}), { kind: 'unknown' }],
  ['no JSON', ok, answered(200, 'OK'), { kind: 'unknown' }],
  ['400', {}, answered(400), { kind: 'refused' }],
  ['a redirect', {}, answered(302), { kind: 'refused' }],
  ['401', {}, answered(401), { kind: 'paused' }],
  ['429', {}, answered(429), { kind: 'later', retryAfterMs: 60_000 }],
  ['500', {}, answered(500), { kind: 'unknown' }],
  ['no answer', {}, { kind: 'unclear', detail: 'timeout' }, { kind: 'unknown' }],
  ['not sent', {}, { kind: 'not-sent', detail: 'refused' }, { kind: 'later' }],
]

describe('an answer of Twilio', () => {
  it.each(twilioRows)('%s', (_, answer, outcome) => expect(readTwilioAnswer(answer, now)).toMatchObject(outcome))

  it.each(Object.entries(oddBodies))('is not taken as sent at %s', (_, body) => {
    for (const status of [200, 201, 302, 400, 500]) {
      expect(readTwilioAnswer(answered(status, body), now).kind).not.toMatch(/accepted|later/)
    }
  })
})

describe('an answer of an SMS gateway', () => {
  it.each(gatewayRows)('%s', (_, success, answer, outcome) =>
    expect(readGatewayAnswer(answer, success, now)).toMatchObject(outcome),
  )

  it.each(Object.entries(oddBodies))('is not the value at %s', (_, body) => {
    expect(readGatewayAnswer(answered(200, body), ok, now).kind).toBe('unknown')
  })
})
