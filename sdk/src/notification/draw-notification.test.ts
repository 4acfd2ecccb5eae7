import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { drawMessage, drawPush } from './draw-notification.ts'

const message = (more: Partial<Message>): Message => ({
  id: 'm1',
  content: 'Hello',
  channel: 'default',
  createdAt: 1,
  isRead: false,
  ...more,
})

describe('a push', () => {
  it('is drawn with all that the service sends', () => {
    const push = {
      messageId: 'm1',
      trackId: 'sale',
      tag: 'm1',
      title: 'Shop',
      body: 'Order 42',
      icon: 'https://example.com/i.png',
      image: 'https://example.com/p.png',
      badge: 'https://example.com/b.png',
      dir: 'rtl',
      vibrate: [100, 50],
      renotify: true,
      requireInteraction: true,
      clickUrl: 'https://example.com/42',
      actions: [
        { id: 'track', title: 'Where?', icon: 'https://example.com/a.png', url: 'https://example.com/track' },
        { action: 'reply', title: 'Reply' },
        { title: 'Third' },
        { id: 'without a title' },
      ],
      data: { order: 42 },
    }
    const marks = {
      messageId: 'm1',
      trackId: 'sale',
      clickUrl: 'https://example.com/42',
      actionUrls: { track: 'https://example.com/track' },
    }
    expect(drawPush(push)).toEqual({
      title: 'Shop',
      marks,
      options: {
        tag: 'm1',
        body: 'Order 42',
        icon: 'https://example.com/i.png',
        image: 'https://example.com/p.png',
        badge: 'https://example.com/b.png',
        dir: 'rtl',
        vibrate: [100, 50],
        renotify: true,
        requireInteraction: true,
        actions: [
          { action: 'track', title: 'Where?', icon: 'https://example.com/a.png' },
          { action: 'reply', title: 'Reply' },
          { action: '2', title: 'Third' },
        ],
        data: { order: 42, peyk: marks },
      },
    })
  })

  it('that is silent, says nothing or is no message of ours is not drawn', () => {
    expect(drawPush({ messageId: 'm1', silent: true })).toBeUndefined()
    expect(drawPush({ messageId: 'm1', icon: 'x' })).toBeUndefined()
    expect(drawPush({ title: 'Hello' })).toBeUndefined()
  })

  it('loses what browsers would refuse', () => {
    const odd = { messageId: 'm1', title: 'Hi', dir: 'up', vibrate: ['a'], actions: 'x', icon: 7, data: [1] }
    const marks = { messageId: 'm1', actionUrls: {} }
    expect(drawPush(odd)).toEqual({ title: 'Hi', marks, options: { tag: 'm1', data: { peyk: marks } } })
  })
})

describe('a message', () => {
  it('is drawn from its notification', () => {
    const notification = { title: 'Shop', body: 'Hello', chromeBadge: 'b.png', mediaUrl: 'p.png', mediaType: 'png' }
    expect(drawMessage(message({ notification, trackId: 'sale', data: { a: 1 } }))).toMatchObject({
      title: 'Shop',
      options: { tag: 'm1', body: 'Hello', badge: 'b.png', image: 'p.png', data: { a: 1 } },
      marks: { messageId: 'm1', trackId: 'sale' },
    })
  })

  it('may draw attention again and stay until it is touched', () => {
    const notification = { title: 'Shop', renotify: true, requireInteraction: true }
    expect(drawMessage(message({ notification }))?.options).toMatchObject({
      tag: 'm1',
      renotify: true,
      requireInteraction: true,
    })
    const plain = drawMessage(message({ notification: { title: 'Shop', renotify: 1, requireInteraction: 'no' } }))
    expect(plain?.options).not.toHaveProperty('renotify')
    expect(plain?.options).not.toHaveProperty('requireInteraction')
  })

  it('is not drawn without one, nor when it is silent', () => {
    expect(drawMessage(message({ inApp: true }))).toBeUndefined()
    expect(drawMessage(message({ silent: true, notification: { title: 'Shop' } }))).toBeUndefined()
  })

  it('with media that is no image has no image', () => {
    const notification = { title: 'Shop', mediaUrl: 'film.mp4', mediaType: 'video/mp4' }
    expect(drawMessage(message({ notification }))?.options.image).toBeUndefined()
  })
})
