import { expect, test } from 'vitest'
import { clearPayload } from './clear-payload.ts'

const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
const at = new Date(Date.UTC(2026, 10, 15))
const times = { at, expiresAt: new Date(at.getTime() + 3_600_500) }
const clear = { clear: id }

test('a browser is told by web push, in the place of a push that still waits for it', () => {
  expect(clearPayload(id, { provider: 'webpush', platform: 'web' }, times)).toEqual({
    provider: 'webpush',
    body: JSON.stringify(clear),
    urgency: 'normal',
    topic: id.replaceAll('-', ''),
  })
})

test('an app on iOS is woken for it, and shows nothing', () => {
  const payload = clearPayload(id, { provider: 'apns', platform: 'ios' }, times)
  expect(payload).toMatchObject({ provider: 'apns', pushType: 'background', priority: 5, collapseId: id })
  expect(JSON.parse((payload as { body: string }).body)).toEqual({ aps: { 'content-available': 1 }, ...clear })
})

test.each([
  ['android', { data: clear, android: { priority: 'NORMAL', ttl: '3600s' } }],
  ['web', { data: clear, webpush: { headers: { TTL: '3600', Urgency: 'normal', Topic: id.replaceAll('-', '') } } }],
  [
    'ios',
    {
      apns: {
        headers: {
          'apns-push-type': 'background',
          'apns-priority': '5',
          'apns-expiration': String(Date.UTC(2026, 10, 15, 1) / 1_000),
          'apns-collapse-id': id,
        },
        payload: { aps: { 'content-available': 1 }, ...clear },
      },
    },
  ],
] as const)('FCM on %s is given data alone', (platform, message) => {
  const { fields } = clearPayload(id, { provider: 'fcm', platform }, times) as { fields: string }
  expect(JSON.parse(`{${fields}}`)).toEqual(message)
})
