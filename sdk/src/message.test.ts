import { describe, expect, it } from 'vitest'
import { readClear, readMessage } from './message.ts'

const topic = 'app/demo/user/ali/default'
const read = (sent: unknown, from = topic) => readMessage(from, JSON.stringify(sent), 5)

describe('a message of the connection', () => {
  it('is read with all it may hold', () => {
    const sent = {
      id: 'm1',
      content: 'Hello',
      data: { order: 42 },
      createdAt: 1_000,
      expireAt: 2_000,
      trackId: 'sale',
      clientId: 'c1',
      publishId: 'm1',
      silent: false,
      inApp: true,
      notification: { title: 'Shop', body: 'Hello' },
    }
    const { silent: _false, ...kept } = sent
    expect(read(sent)).toEqual({ ...kept, channel: 'default', isRead: false })
  })

  it('may have little, and times as texts', () => {
    expect(read({ id: 'm1' })).toEqual({ id: 'm1', content: '', channel: 'default', createdAt: 5, isRead: false })
    expect(read({ id: 'm1', createdAt: '1970-01-01T00:00:01Z' })?.createdAt).toBe(1_000)
  })

  it.each([
    ['app/demo/user/ali/orders', 'orders'],
    ['app/demo/user/public/news/sport', 'public/news/sport'],
    ['app/demo/user/public/default', 'default'],
    ['app/demo/user/ali/default', 'default'],
  ])('on %s came by the channel %s', (from, channel) => {
    expect(read({ id: 'm1' }, from)?.channel).toBe(channel)
  })

  it.each(['', 'hello', '[]', 'null', '{}', '{"id":7}', '{"id":'])('is none in %s', (json) => {
    expect(readMessage(topic, json, 5)).toBeUndefined()
  })

  it('keeps only what it can be', () => {
    const odd = { id: 'm1', data: ['x'], notification: 'x', trackId: 7, createdAt: 'soon', silent: 'true' }
    expect(read(odd)).toEqual({ id: 'm1', content: '', channel: 'default', createdAt: 5, isRead: false })
  })
})

describe('a recall', () => {
  it('names the message that is to be taken away, and is no message itself', () => {
    expect(readClear('{"clear":"m1"}')).toBe('m1')
    expect(read({ clear: 'm1' }, 'app/demo/clear/i1')).toBeUndefined()
  })

  it.each(['', 'hello', '{}', '{"clear":true}', '{"id":"m1","content":"clear"}'])('is none in %s', (json) => {
    expect(readClear(json)).toBeUndefined()
  })
})
