import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../compose/compose-message.ts'
import { apnsPayload } from './apns.ts'
import type { AppLook, PushMessage } from './compiled-push.ts'
import { fcmMessage } from './fcm.ts'
import { id, look, pushMessage } from './payloads.test-support.ts'
import { webPushPayload } from './web-push.ts'

interface Case {
  content: MessageContent
  more?: Partial<PushMessage>
  look?: AppLook
  android: object
  ios: object
  web: object
}

const android = { priority: 'HIGH', ttl: '60s' }

/** What a message becomes: FCM's message for Android, Apple's body, and the web push text. */
const cases: Record<string, Case> = {
  'the content alone, under the app’s name': {
    content: { content: 'Hello' },
    android: { data: { title: 'Shop', body: 'Hello', tag: id, messageId: id }, android },
    ios: { aps: { alert: { title: 'Shop', body: 'Hello' }, sound: 'default' }, messageId: id },
    web: { title: 'Shop', body: 'Hello', tag: id, messageId: id },
  },
  'the app’s own text and icon': {
    content: { content: 'Hello' },
    look: { name: 'Shop', notificationText: 'You have a message', icon: 'https://shop.example/i.png' },
    android: {
      data: {
        title: 'Shop',
        body: 'You have a message',
        icon: 'https://shop.example/i.png',
        tag: id,
        messageId: id,
      },
      android,
    },
    ios: { aps: { alert: { title: 'Shop', body: 'You have a message' }, sound: 'default' }, messageId: id },
    web: { title: 'Shop', body: 'You have a message', icon: 'https://shop.example/i.png', tag: id, messageId: id },
  },
  'data and a trackId, with keys that FCM reserves': {
    content: {
      content: 'Hi',
      data: { from: 'me', 'google.x': 1, notification: { a: [true, null] }, message_type: '"' },
    },
    more: { trackId: 'spring', clientId: 'c-1' },
    android: {
      data: {
        title: 'Shop',
        body: 'Hi',
        tag: id,
        messageId: id,
        trackId: 'spring',
        data: '{"from":"me","google.x":1,"notification":{"a":[true,null]},"message_type":"\\""}',
      },
      android,
    },
    ios: {
      aps: { alert: { title: 'Shop', body: 'Hi' }, sound: 'default' },
      messageId: id,
      trackId: 'spring',
      data: { from: 'me', 'google.x': 1, notification: { a: [true, null] }, message_type: '"' },
    },
    web: {
      title: 'Shop',
      body: 'Hi',
      tag: id,
      messageId: id,
      trackId: 'spring',
      data: { from: 'me', 'google.x': 1, notification: { a: [true, null] }, message_type: '"' },
    },
  },
  'every field of a notification': {
    content: {
      content: 'not shown',
      data: { orderId: 'A-1' },
      notification: {
        title: 'Order',
        body: 'On its way',
        groupId: 'orders',
        icon: 'https://shop.example/i.png',
        sound: 'bell.caf',
        clickUrl: 'https://shop.example/orders/A-1',
        ledColor: '#00ff00',
        smallIcon: 'ic_order',
        largeIcon: 'https://shop.example/l.png',
        chromeBadge: 'https://shop.example/b.png',
        color: '#f80',
        dir: 'RTL',
        vibrate: [100, 50],
        mediaType: 'jpg',
        mediaUrl: 'https://shop.example/m.jpg',
        contentAvailable: true,
        mutableContent: true,
        category: 'order',
        actions: [
          { id: 'track', title: 'Track', options: 5, icon: 'ic_map', url: 'shop://orders/A-1' },
          { id: 'answer', title: 'Answer', options: 1, action: 'reply' },
        ],
      },
    },
    android: {
      data: {
        title: 'Order',
        body: 'On its way',
        icon: 'https://shop.example/i.png',
        image: 'https://shop.example/m.jpg',
        badge: 'https://shop.example/b.png',
        dir: 'rtl',
        vibrate: '[100,50]',
        actions:
          '[{"id":"track","title":"Track","icon":"ic_map","url":"shop://orders/A-1"},{"id":"answer","title":"Answer","action":"reply"}]',
        clickUrl: 'https://shop.example/orders/A-1',
        tag: id,
        messageId: id,
        data: '{"orderId":"A-1"}',
        groupId: 'orders',
        sound: 'bell.caf',
        ledColor: '#00ff00',
        smallIcon: 'ic_order',
        largeIcon: 'https://shop.example/l.png',
        color: '#f80',
        category: 'order',
        contentAvailable: 'true',
      },
      android,
    },
    ios: {
      aps: {
        alert: { title: 'Order', body: 'On its way' },
        sound: 'bell.caf',
        'thread-id': 'orders',
        category: 'order',
        'content-available': 1,
        'mutable-content': 1,
      },
      messageId: id,
      data: { orderId: 'A-1' },
      clickUrl: 'https://shop.example/orders/A-1',
      media: { url: 'https://shop.example/m.jpg', type: 'jpg' },
      category: {
        id: 'order',
        actions: [
          { id: 'track', title: 'Track', options: 5, icon: 'ic_map', url: 'shop://orders/A-1' },
          { id: 'answer', title: 'Answer', options: 1, action: 'reply' },
        ],
      },
    },
    web: {
      title: 'Order',
      body: 'On its way',
      icon: 'https://shop.example/i.png',
      image: 'https://shop.example/m.jpg',
      badge: 'https://shop.example/b.png',
      dir: 'rtl',
      vibrate: [100, 50],
      actions: [
        { id: 'track', title: 'Track', icon: 'ic_map', url: 'shop://orders/A-1' },
        { id: 'answer', title: 'Answer', action: 'reply' },
      ],
      clickUrl: 'https://shop.example/orders/A-1',
      tag: id,
      messageId: id,
      data: { groupId: 'orders', orderId: 'A-1' },
    },
  },
  'media that is no image, buttons without a category, a direction that is none': {
    content: {
      notification: {
        title: 'T',
        body: 'B',
        dir: 'sideways',
        largeIcon: 'https://shop.example/l.png',
        mediaType: 'mp4',
        mediaUrl: 'https://shop.example/m.mp4',
        actions: [{ id: 'a', title: 'A' }],
      },
    },
    android: {
      data: {
        title: 'T',
        body: 'B',
        actions: '[{"id":"a","title":"A"}]',
        tag: id,
        messageId: id,
        largeIcon: 'https://shop.example/l.png',
        mediaUrl: 'https://shop.example/m.mp4',
        mediaType: 'mp4',
      },
      android,
    },
    ios: {
      aps: { alert: { title: 'T', body: 'B' }, sound: 'default', category: `peyk-${id}`, 'mutable-content': 1 },
      messageId: id,
      media: { url: 'https://shop.example/m.mp4', type: 'mp4' },
      category: { id: `peyk-${id}`, actions: [{ id: 'a', title: 'A' }] },
    },
    web: {
      title: 'T',
      body: 'B',
      actions: [{ id: 'a', title: 'A' }],
      tag: id,
      messageId: id,
      icon: 'https://shop.example/l.png',
    },
  },
  'a group id that the sender’s data has as well': {
    content: { content: 'x', data: { groupId: 'mine' }, notification: { title: 'T', groupId: 'orders' } },
    android: {
      data: { title: 'T', body: 'x', tag: id, messageId: id, data: '{"groupId":"mine"}', groupId: 'orders' },
      android,
    },
    ios: {
      aps: { alert: { title: 'T', body: 'x' }, sound: 'default', 'thread-id': 'orders' },
      messageId: id,
      data: { groupId: 'mine' },
    },
    web: { title: 'T', body: 'x', tag: id, messageId: id, data: { groupId: 'mine' } },
  },
  'one that stays in a browser, which only browsers are told': {
    content: { content: 'x', notification: { title: 'T', requireInteraction: true, renotify: true } },
    android: { data: { title: 'T', body: 'x', tag: id, messageId: id }, android },
    ios: { aps: { alert: { title: 'T', body: 'x' }, sound: 'default' }, messageId: id },
    web: { title: 'T', body: 'x', tag: id, messageId: id, requireInteraction: true, renotify: true },
  },
  'a silent one: data and nothing to draw': {
    content: {
      content: 'not shown',
      silent: true,
      autoNotify: true,
      data: { a: 1 },
      notification: { title: 'T', renotify: true },
    },
    more: { trackId: 't' },
    android: {
      data: { messageId: id, trackId: 't', data: '{"a":1}', silent: 'true' },
      android: { priority: 'NORMAL', ttl: '60s' },
    },
    ios: { aps: { 'content-available': 1 }, messageId: id, trackId: 't', data: { a: 1 } },
    web: { messageId: id, trackId: 't', data: { a: 1 }, silent: true },
  },
  'one that FCM displays itself': {
    content: {
      content: 'x',
      autoNotify: true,
      notification: {
        title: 'T',
        body: 'B',
        clickUrl: 'https://shop.example/',
        mediaUrl: 'https://shop.example/m.png',
        smallIcon: 'ic_order',
        sound: 'bell',
        color: '#80FF8800',
        ledColor: '#ff0000',
        vibrate: [0, 250.4],
        groupId: 'g',
      },
    },
    android: {
      notification: { title: 'T', body: 'B', image: 'https://shop.example/m.png' },
      data: {
        vibrate: '[0,250.4]',
        clickUrl: 'https://shop.example/',
        tag: id,
        messageId: id,
        groupId: 'g',
        sound: 'bell',
        ledColor: '#ff0000',
        smallIcon: 'ic_order',
        color: '#80FF8800',
      },
      android: {
        ...android,
        notification: {
          tag: id,
          sound: 'bell',
          icon: 'ic_order',
          color: '#ff8800',
          light_settings: {
            color: { red: 1, green: 0, blue: 0, alpha: 1 },
            light_on_duration: '0.5s',
            light_off_duration: '1s',
          },
          vibrate_timings: ['0s', '0.25s'],
        },
      },
    },
    ios: {
      aps: { alert: { title: 'T', body: 'B' }, sound: 'bell', 'thread-id': 'g', 'mutable-content': 1 },
      messageId: id,
      clickUrl: 'https://shop.example/',
      media: { url: 'https://shop.example/m.png' },
    },
    web: {
      title: 'T',
      body: 'B',
      image: 'https://shop.example/m.png',
      vibrate: [0, 250.4],
      clickUrl: 'https://shop.example/',
      tag: id,
      messageId: id,
      data: { groupId: 'g' },
    },
  },
  'one that FCM displays, with values that it would refuse': {
    content: {
      content: 'x',
      autoNotify: true,
      notification: {
        title: 'T',
        smallIcon: 'https://shop.example/i.png',
        color: 'red',
        ledColor: 'green',
        vibrate: [-1],
      },
    },
    android: {
      notification: { title: 'T', body: 'x' },
      data: {
        vibrate: '[-1]',
        tag: id,
        messageId: id,
        ledColor: 'green',
        smallIcon: 'https://shop.example/i.png',
        color: 'red',
      },
      android: { ...android, notification: { tag: id, sound: 'default' } },
    },
    ios: { aps: { alert: { title: 'T', body: 'x' }, sound: 'default' }, messageId: id },
    web: { title: 'T', body: 'x', vibrate: [-1], tag: id, messageId: id },
  },
}

describe('what each platform is given', () => {
  it.each(Object.entries(cases))('%s', (_name, { content, more, look: ownLook = look, ...expected }) => {
    const message = pushMessage(content, more)
    expect(JSON.parse(JSON.stringify(fcmMessage(message, ownLook, 'android', '60')))).toEqual(expected.android)
    expect(JSON.parse(JSON.stringify(apnsPayload(message, ownLook).body))).toEqual(expected.ios)
    expect(JSON.parse(JSON.stringify(webPushPayload(message, ownLook).body))).toEqual(expected.web)
  })

  it('the order of keys in the client’s list is of no account, but there are no others on the web', () => {
    const protocol = 'title body icon image badge tag dir vibrate actions clickUrl messageId trackId silent data'
    const listed = [...protocol.split(' '), 'requireInteraction', 'renotify']
    for (const { content, more } of Object.values(cases)) {
      const { body } = webPushPayload(pushMessage(content, more), look)
      expect(listed).toEqual(expect.arrayContaining(Object.keys(body)))
    }
  })
})

describe('how it travels', () => {
  const shown = pushMessage({ content: 'x' })
  const silent = pushMessage({ content: 'x', silent: true })

  it('Apple is told its kind and priority, and a resend replaces itself', () => {
    expect(apnsPayload(shown, look)).toMatchObject({ pushType: 'alert', priority: 10, collapseId: id })
    expect(apnsPayload(silent, look)).toMatchObject({ pushType: 'background', priority: 5, collapseId: id })
  })

  it('a web push has a topic of 32 characters that its message id decides', () => {
    expect(webPushPayload(shown, look)).toMatchObject({ urgency: 'high', topic: '019d9c3e5a007c1b9f3e2b8f4a6d7c10' })
    expect(webPushPayload(silent, look)).toMatchObject({ urgency: 'normal', topic: '019d9c3e5a007c1b9f3e2b8f4a6d7c10' })
  })

  it('FCM passes Apple’s headers and body on for its tokens of iOS', () => {
    expect(fcmMessage(shown, look, 'ios', '60')).toEqual({
      apns: {
        headers: {
          'apns-push-type': 'alert',
          'apns-priority': '10',
          'apns-expiration': '1794733200',
          'apns-collapse-id': id,
        },
        payload: { aps: { alert: { title: 'Shop', body: 'x' }, sound: 'default' }, messageId: id },
      },
    })
  })

  it('FCM is given data alone for its tokens of browsers, and options when it displays', () => {
    const headers = { TTL: '60', Urgency: 'high', Topic: '019d9c3e5a007c1b9f3e2b8f4a6d7c10' }
    expect(fcmMessage(shown, look, 'web', '60')).toEqual({
      data: { title: 'Shop', body: 'x', tag: id, messageId: id },
      webpush: { headers },
    })
    const notification = {
      title: 'T',
      dir: 'rtl',
      icon: 'i.png',
      chromeBadge: 'b.png',
      vibrate: [1],
      requireInteraction: true as const,
      renotify: true as const,
      clickUrl: 'https://shop.example/',
      actions: [{ id: 'a', title: 'A', icon: 'a.png', url: 'x://y' }, {}],
    }
    expect(fcmMessage(pushMessage({ content: 'x', autoNotify: true, notification }), look, 'web', '60')).toMatchObject({
      notification: { title: 'T', body: 'x' },
      webpush: {
        headers,
        notification: {
          tag: id,
          icon: 'i.png',
          badge: 'b.png',
          dir: 'rtl',
          vibrate: [1],
          requireInteraction: true,
          renotify: true,
          actions: [
            { action: 'a', title: 'A', icon: 'a.png' },
            { action: '', title: '' },
          ],
        },
        fcm_options: { link: 'https://shop.example/' },
      },
    })
    const elsewhere = { ...notification, clickUrl: 'shop://orders' }
    const message = pushMessage({ content: 'x', autoNotify: true, notification: elsewhere })
    expect(fcmMessage(message, look, 'web', '60')).not.toHaveProperty('webpush.fcm_options')
  })

  it('no group ever becomes a collapse key', () => {
    const message = pushMessage({ content: 'x', autoNotify: true, notification: { title: 'T', groupId: 'orders' } })
    expect(JSON.stringify(fcmMessage(message, look, 'android', '60'))).not.toContain('collapse')
    expect(apnsPayload(message, look).collapseId).toBe(id)
    expect(webPushPayload(message, look).topic).not.toContain('orders')
  })
})
