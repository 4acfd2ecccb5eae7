import { describe, expect, it } from 'vitest'
import { choosePath, type MessageFlags, type Path, type Reach } from './choose-path.ts'
import type { ProviderName } from './provider.ts'

const apnsToken = 'ab'.repeat(32)
const subscription = '{"endpoint":"https://push.example/1"}'
const all: readonly ProviderName[] = ['fcm', 'apns', 'webpush']
const android: Reach = { deviceType: 'android', token: 'abc:APA91b', tokenStatus: 'ALLOWED', isConnected: false }

type Expected = ProviderName | 'inbox' | 'connection' | 'connection, then fcm' | 'no-provider' | 'opted-out'

const cases: [what: string, message: MessageFlags, reach: Partial<Reach>, has: readonly ProviderName[], Expected][] = [
  ['a message to Android', { product: 'message' }, {}, all, 'fcm'],
  ['a message to iOS', { product: 'message' }, { deviceType: 'ios', token: apnsToken }, all, 'apns'],
  ['a message to iOS with a token of FCM', { product: 'message' }, { deviceType: 'ios' }, all, 'fcm'],
  ['a message to a browser', { product: 'message' }, { deviceType: 'web', token: subscription }, all, 'webpush'],
  ['a token of APNs on Android', { product: 'message' }, { token: apnsToken }, all, 'apns'],
  ['a token of APNs where only FCM is set', { product: 'notification' }, { token: apnsToken }, ['fcm'], 'no-provider'],
  ['a token of FCM on iOS where only APNs is set', { product: 'message' }, { deviceType: 'ios' }, ['apns'], 'inbox'],
  ['a subscription on Android', { product: 'message' }, { token: subscription }, all, 'webpush'],
  ['a silent message', { product: 'message', silent: true }, {}, all, 'inbox'],
  ['a message for the open app', { product: 'message', inApp: true }, {}, all, 'inbox'],
  ['a message without token', { product: 'message' }, { token: null }, all, 'inbox'],
  ['a message without credentials', { product: 'message' }, {}, ['apns'], 'inbox'],
  ['a message where notifications are denied', { product: 'message' }, { tokenStatus: 'DENIED' }, all, 'inbox'],
  ['a message that the platform shows', { product: 'message', autoNotify: true }, {}, all, 'fcm'],
  ['a message to a connected installation', { product: 'message' }, { isConnected: true }, all, 'connection, then fcm'],
  ['a message to one that has no token', { product: 'message' }, { isConnected: true, token: null }, all, 'connection'],
  [
    'a silent message to a connected one',
    { product: 'message', silent: true },
    { isConnected: true },
    all,
    'connection',
  ],
  [
    'a message for the open app in the background',
    { product: 'message', inApp: true },
    { isConnected: true },
    all,
    'inbox',
  ],
  [
    'a message for the open app',
    { product: 'message', inApp: true },
    { isConnected: true, isOpen: true },
    all,
    'connection',
  ],
  [
    'a message that the platform shows, connected',
    { product: 'message', autoNotify: true },
    { isConnected: true },
    all,
    'fcm',
  ],
  [
    'a live message to an open app',
    { product: 'message', live: true },
    { isConnected: true, isOpen: true },
    all,
    'connection',
  ],
  ['a live message in the background', { product: 'message', live: true }, { isConnected: true }, all, 'no-provider'],
  ['a notification to a connected one', { product: 'notification' }, { isConnected: true }, all, 'fcm'],
  [
    'a notification without a provider',
    { product: 'notification' },
    { isConnected: true, token: null },
    all,
    'connection',
  ],
  ['a live message to nobody connected', { product: 'message', live: true }, {}, all, 'no-provider'],
  ['a notification', { product: 'notification' }, {}, all, 'fcm'],
  ['a silent notification', { product: 'notification', silent: true }, {}, all, 'fcm'],
  [
    'a silent notification where notifications are denied',
    { product: 'notification', silent: true },
    { tokenStatus: 'denied' },
    all,
    'fcm',
  ],
  ['a notification without token', { product: 'notification' }, { token: null }, all, 'no-provider'],
  ['a notification without credentials', { product: 'notification' }, {}, [], 'no-provider'],
  [
    'a notification where notifications are denied',
    { product: 'notification' },
    { tokenStatus: 'DENIED' },
    all,
    'opted-out',
  ],
]

function describePath(path: Path): string {
  if (path.kind === 'provider') return path.provider
  if (path.kind === 'ended') return path.reason
  return path.kind === 'connection' && path.next ? `connection, then ${path.next}` : path.kind
}

describe('the path of a message', () => {
  it.each(cases)('%s', (_what, message, reach, has, expected) => {
    const path = choosePath(message, { ...android, ...reach }, new Set(has))
    expect(describePath(path)).toBe(expected)
    expect(path.why).not.toBe('')
  })
})
