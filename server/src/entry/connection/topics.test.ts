import { describe, expect, it } from 'vitest'
import { readClientId } from './admission/client-id.ts'
import type { Client } from './client-connection.ts'
import { topicOfMessage } from './inbox/topic-of-message.ts'
import { readJson } from './packets/read-payload.ts'
import { readSubscription } from './topics.ts'
import { clientAddress, trustedProxies } from './transport/client-address.ts'

const installationId = '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11'
const alias = '4a3f9d0c5b7e8f1a2b3c4d5e6f708192'
const client = { userId: 'ali', installationId } as Client

describe('a client id', () => {
  it.each([
    [`shop/ali/${installationId.toUpperCase()}`, { appLabel: 'shop', userId: 'ali', installationId }],
    [`shop//${installationId}`, undefined],
    [`/ali/${installationId}`, undefined],
    ['shop/ali/phone', undefined],
    [`shop/ali/${installationId}/x`, undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    expect(readClientId(text)).toEqual(expected)
  })
})

describe('a topic to subscribe to', () => {
  const always = { kind: 'always' }
  it.each([
    ['app/shop/user/ali/default', always],
    [`app/shop/user/ali/${installationId}`, always],
    ['app/shop/user/public/default', always],
    ['app/shop/user/ali/alarms', { kind: 'channel', name: 'alarms' }],
    ['app/shop/user/public/news/sport', { kind: 'channel', name: 'public/news/sport' }],
    ['app/shop/event/typing/+', { kind: 'event', key: 'typing/+' }],
    ['app/shop/event/a/b/+', { kind: 'event', key: 'a/b/+' }],
    [`app/shop/event/typing/${installationId}`, { kind: 'event', key: `typing/${installationId}` }],
    [`app/shop/event/typing/${alias}`, { kind: 'event', key: `typing/${alias}` }],
    [`app/shop/event/typing/${alias}0`, undefined],
    ['app/shop/event/+/+', undefined],
    ['app/shop/event/+', undefined],
    ['app/shop/event/typing/0c6a2f0e-6f3e-4c56-9f0a-000000000000', undefined],
    ['app/other/user/ali/default', undefined],
    ['app/shop/user/sara/default', undefined],
    ['app/shop/user/ali', undefined],
    ['app/shop/user/ali/', undefined],
    ['app/shop/user/+/default', undefined],
    ['app/shop/#', undefined],
    ['#', undefined],
    ['app/shop/user/ali/a\0', undefined],
    [`app/shop/user/public/${'x'.repeat(300)}`, undefined],
    ['app/shop/track/x/+', undefined],
  ])('%j', (topic, expected) => {
    expect(readSubscription(topic, 'shop', client)).toEqual(expected)
  })
})

it('names the topic of a message by its channel', () => {
  const topicOf = (channel: string) => topicOfMessage('shop', 'ali', channel)
  expect(topicOf('default')).toBe('app/shop/user/ali/default')
  expect(topicOf('private/default')).toBe('app/shop/user/ali/default')
  expect(topicOf('private/a/b')).toBe('app/shop/user/ali/a/b')
  expect(topicOf('public/news')).toBe('app/shop/user/public/news')
})

it('reads a payload as JSON that the store can keep, or not at all', () => {
  expect(readJson(Buffer.from('{"a":["سلام"]}'))).toEqual({ a: ['سلام'] })
  const deep = '['.repeat(40) + ']'.repeat(40)
  for (const bad of ['', '{', '"\\u0000"', '"\\udfff"', '1e999', '{"__proto__":1}', deep]) {
    expect(readJson(Buffer.from(bad)), bad).toBeUndefined()
  }
  expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined()
})

it('believes a forwarded address only from a proxy that is trusted', () => {
  const trusted = trustedProxies(['10.0.0.0/8', '127.0.0.1', 'nonsense', '::1'])
  expect(clientAddress('203.0.113.5', '198.51.100.1', trusted)).toBe('203.0.113.5')
  expect(clientAddress('::ffff:127.0.0.1', '198.51.100.1, 10.1.2.3', trusted)).toBe('198.51.100.1')
  expect(clientAddress('::1', 'evil, 198.51.100.1', trusted)).toBe('198.51.100.1')
  expect(clientAddress('127.0.0.1', undefined, trusted)).toBe('127.0.0.1')
})
