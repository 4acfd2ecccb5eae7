import { describe, expect, it, test } from 'vitest'
import { nextTryMs } from './next-try.ts'
import { readWebhookAnswer } from './read-webhook-answer.ts'
import { webhookRequest } from './webhook-request.ts'

const at = new Date('2026-11-15T10:00:00.500Z')

test('a request is signed over id, time and body', () => {
  const event = {
    id: 'e1',
    type: 'user.new',
    at: new Date('2026-11-15T09:59:00Z'),
    appLabel: 'shop',
    data: { userId: 'u' },
  }
  expect(webhookRequest(event, 'whsec_test', at)).toEqual({
    body: '{"id":"e1","type":"user.new","createdAt":"2026-11-15T09:59:00.000Z","app":"shop","data":{"userId":"u"}}',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Peyk-Webhooks',
      'peyk-webhook-id': 'e1',
      'peyk-webhook-timestamp': '1794736800',
      'peyk-webhook-signature': 'v1=8151759ce5eb0035810aa9c5cd4adc9524a4839c4c323aac69fa838fe826abc5',
    },
  })
})

describe('an answer', () => {
  const answer = (status: number, retryAfter?: string) =>
    readWebhookAnswer({ kind: 'answer', status, headers: { 'retry-after': retryAfter }, body: 'private' }, at)

  it.each([200, 201, 204, 299])('with %i is success', (status) => {
    expect(answer(status)).toEqual({ isSuccess: true, status, detail: `answered ${status}` })
  })
  it.each([199, 301, 302, 400, 404, 410, 429, 500, 503])('with %i is none', (status) => {
    expect(answer(status)).toMatchObject({ isSuccess: false, status })
    expect(answer(status).detail).not.toContain('private')
  })
  it.each([
    ['120', 120_000],
    ['Sun, 15 Nov 2026 10:01:00 GMT', 59_500],
    ['99999999', 86_400_000],
    ['-5', undefined],
    ['0', undefined],
    ['Sun, 15 Nov 2020 10:01:00 GMT', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('with Retry-After "%s" waits', (text, ms) => {
    expect(answer(503, text).retryAfterMs).toBe(ms)
  })
  it('that never came says why', () => {
    expect(readWebhookAnswer({ kind: 'unclear', detail: 'reset' }, at)).toEqual({ isSuccess: false, detail: 'reset' })
  })
})

describe('the next try', () => {
  it('comes later each time, up to an hour', () => {
    expect([1, 2, 3, 4, 10, 11, 12, 1_000].map((failures) => nextTryMs(failures, 0, 0.5))).toEqual([
      5_000, 10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000, 3_600_000,
    ])
  })
  it('is spread by chance', () => {
    expect([nextTryMs(1, 0, 0), nextTryMs(1, 0, 1)]).toEqual([4_000, 6_000])
  })
  it('is never sooner than was asked for', () => {
    expect(nextTryMs(1, 60_000, 0)).toBe(60_000)
    expect(nextTryMs(20, 60_000, 0)).toBe(2_880_000)
  })
})
