import { describe, expect, it } from 'vitest'
import { drawMessage, drawNotification } from './draw-notification.ts'

const messageId = '0199d3c8-7f00-7000-8000-000000000001'
const actions = [
  { id: 'yes', title: 'Yes', url: 'https://example.com/yes' },
  { action: 'reply', title: 'Reply' },
]
const drawnActions = [
  { id: 'yes', title: 'Yes', url: 'https://example.com/yes' },
  { id: 'reply', title: 'Reply' },
]

describe('Android', () => {
  it('draws data through the client library, with buttons', () => {
    const data = { messageId, title: 'Order 42', body: 'On its way', tag: messageId, actions: JSON.stringify(actions) }
    expect(drawNotification('android', { token: 't', data, android: { ttl: '60s' } })).toEqual({
      messageId,
      notification: { title: 'Order 42', body: 'On its way', tag: messageId, actions: drawnActions },
    })
  })

  it('draws the notification block itself, without buttons', () => {
    const drawn = drawNotification('android', {
      notification: { title: 'Order 42', body: 'On its way', image: 'https://example.com/i.png' },
      data: { messageId, trackId: 'spring', actions: JSON.stringify(actions), clickUrl: 'https://example.com' },
      android: { notification: { tag: messageId, icon: 'small' } },
    })
    expect(drawn.messageId).toBe(messageId)
    expect(drawn.notification).toEqual({
      title: 'Order 42',
      body: 'On its way',
      image: 'https://example.com/i.png',
      icon: 'small',
      clickUrl: 'https://example.com',
      trackId: 'spring',
      tag: messageId,
      actions: [],
    })
  })

  it('shows nothing of a silent message', () => {
    const data = { messageId, silent: 'true', data: '{"title":"x"}' }
    expect(drawNotification('android', { data })).toEqual({ messageId, notification: undefined })
  })
})

describe('iOS', () => {
  it('draws the alert, and with the extension its image and buttons', () => {
    const body = {
      aps: { alert: { title: 'Order 42', body: 'On its way' }, 'mutable-content': 1 },
      messageId,
      media: { url: 'https://example.com/i.png' },
      category: { id: 'c', actions },
    }
    const plain = { title: 'Order 42', body: 'On its way', tag: messageId }
    expect(drawNotification('ios', body, messageId)).toEqual({
      messageId,
      notification: { ...plain, image: 'https://example.com/i.png', actions: drawnActions },
    })
    const withoutExtension = { ...body, aps: { alert: body.aps.alert } }
    expect(drawNotification('ios', withoutExtension, messageId).notification).toEqual({ ...plain, actions: [] })
    expect(drawNotification('ios', { aps: { alert: 'Hello' } }).notification).toEqual({
      title: '',
      body: 'Hello',
      actions: [],
    })
  })

  it('shows nothing of a background push', () => {
    expect(drawNotification('ios', { aps: { 'content-available': 1 }, messageId })).toEqual({
      messageId,
      notification: undefined,
    })
  })
})

describe('browsers', () => {
  it('draw what the service worker is given', () => {
    const drawn = drawNotification('web', {
      title: 'Hi',
      body: 'there',
      icon: 'https://example.com/i',
      tag: 't',
      messageId,
      actions,
    })
    expect(drawn.notification).toEqual({
      title: 'Hi',
      body: 'there',
      icon: 'https://example.com/i',
      tag: 't',
      actions: drawnActions,
    })
    expect(drawNotification('web', { messageId, silent: true }).notification).toBeUndefined()
  })
})

describe('a message over the own connection', () => {
  const sent = { id: messageId, content: 'On its way', data: {}, silent: false, publishId: messageId }

  it('is drawn by the client library, with image and buttons', () => {
    const notification = { title: 'Order 42', body: 'On its way', mediaUrl: 'https://example.com/i.png', actions }
    expect(drawMessage({ ...sent, trackId: 'spring', notification })).toEqual({
      messageId,
      notification: {
        title: 'Order 42',
        body: 'On its way',
        image: 'https://example.com/i.png',
        trackId: 'spring',
        tag: messageId,
        actions: drawnActions,
      },
    })
  })

  it('is nothing to see when it has no notification, or is silent', () => {
    expect(drawMessage(sent)).toEqual({ messageId, notification: undefined })
    expect(drawMessage({ ...sent, silent: true, notification: { title: 'x' } }).notification).toBeUndefined()
    expect(drawMessage({ ...sent, notification: 7 }).notification).toBeUndefined()
  })
})

it.each([undefined, null, 'text', 7, [], { aps: 7 }, { notification: null, data: [] }])(
  'is nothing to see for %j, on any platform',
  (content) => {
    for (const platform of ['android', 'ios', 'web'] as const) {
      expect(drawNotification(platform, content)).toEqual({ messageId: undefined, notification: undefined })
    }
  },
)
