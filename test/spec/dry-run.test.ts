import {
  addCredentials,
  addDevice,
  countAllRows,
  tokens,
} from '@peyk/server/features/deliveries/dry-run/preview.test-support.ts'
import { describe, expect, it } from 'vitest'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, ctx, callAsClient } = await createTestServer()
await addCredentials(ctx, 'fcm')
await addDevice(ctx, 'sara', { token: tokens.fcm('1') })
await addDevice(ctx, '989121234567', { deviceType: 'ios', token: tokens.apns('2') })

const sends: [string, object | object[]][] = [
  ['/api/push/toUsers', { user: 'sara', content: 'Your code: {{ promoCode }}', trackId: 'new-campaign' }],
  ['/api/push/toUsers', { user: '*', content: 'Hello' }],
  [
    '/api/push/toUsers',
    [
      { user: 'sara', content: 'a' },
      { users: ['nobody'], content: 'b' },
    ],
  ],
  ['/api/push/notifyUsers', { users: ['sara'], content: 'Hello' }],
  ['/api/push/notifyUsers', { target: {}, content: 'Hello', trackId: 'new-campaign' }],
  ['/api/push/byQuery', { target: { deviceType: 'ios' }, content: 'Hello', trackId: 'new-campaign' }],
  ['/api/push/notifyToUsers', { user: '989121234567', content: 'Hello', fallback: { content: 'sms' } }],
  ['/api/push/notifyUser/sara', { title: 'Hello' }],
]

describe('?dryRun=true', () => {
  it.each(sends)('on %s with %j answers what would happen, and nothing is stored', async (path, body) => {
    const before = await countAllRows(ctx)
    const { status, body: answer } = await call('POST', `${path}?dryRun=true`, body, { 'idempotency-key': 'mine' })
    expect(status).toBe(200)
    const previews = Array.isArray(answer) ? answer : [answer]
    expect(previews).toHaveLength(Array.isArray(body) ? body.length : 1)
    for (const preview of previews) {
      expect(preview).toMatchObject({ dryRun: true, count: expect.any(Number), outcomes: expect.any(Array) })
      expect(preview).not.toHaveProperty('id')
    }
    expect(await countAllRows(ctx)).toEqual(before)
  })

  it('leaves the idempotency key to the send itself', async () => {
    const key = { 'idempotency-key': 'send-me' }
    const sent = { user: 'sara', content: 'Hello' }
    expect((await call('POST', '/api/push/toUsers?dryRun=1', sent, key)).body).toMatchObject({ dryRun: true })
    const { body, headers } = await call('POST', '/api/push/toUsers', sent, key)
    expect(body).toEqual({ id: expect.any(String), count: 1 })
    expect(headers.get('idempotency-replayed')).toBeNull()
  })

  it('is false when it says so, and refused when it is neither', async () => {
    const sent = { user: 'sara', content: 'Hello' }
    expect((await call('POST', '/api/push/toUsers?dryRun=false', sent)).body).toHaveProperty('id')
    const { status, body } = await call('POST', '/api/push/toUsers?dryRun=maybe', sent)
    expect(status).toBe(400)
    expect(body.error.message).toBe('"dryRun": expected true or false, got "maybe".')
  })

  it('needs the same token as the send', async () => {
    const sent = { user: 'sara', content: 'Hello' }
    expect((await callAsClient('POST', '/api/push/toUsers?dryRun=true', sent)).status).toBe(403)
  })
})
