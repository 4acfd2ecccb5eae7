import { describe, expect, it } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient } = await createTestServer()
const send = (body: unknown) => call('POST', '/api/push/toUsers', body)

describe('POST /api/push/toUsers [interface.md#41-send-a-message-to-users]', () => {
  it('takes one object with user, and counts the devices of that user', async () => {
    await registerDevice(callAsClient, { userId: 'one' })
    await registerDevice(callAsClient, { userId: 'one', deviceType: 'ios' })
    const { status, body } = await send({ user: 'one', content: 'hello' })
    expect(status).toBe(200)
    expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), count: 2 })
  })

  it('takes one object with users, the same content going to all, each once', async () => {
    await registerDevice(callAsClient, { userId: 'two-a' })
    await registerDevice(callAsClient, { userId: 'two-b' })
    const { body } = await send({ users: ['two-a', 'two-b', 'two-a'], content: 'hello' })
    expect(body).toEqual({ id: expect.any(String), count: 2 })
  })

  it('takes an array of objects, each with its own content, and answers in its order', async () => {
    await registerDevice(callAsClient, { userId: 'three-a' })
    const { body } = await send([
      { user: 'three-a', content: 'to a' },
      { user: 'three-b', content: 'to b' },
      { users: ['three-a', 'three-b'], content: 'to both' },
    ])
    expect(body.map((answer: { count: number }) => answer.count)).toEqual([1, 0, 1])
    const second = await call('GET', `/api/messages/${body[1].id}`)
    expect(second.body.content).toBe('to b')
  })

  it('sends nothing of an array with an invalid element, and names the element', async () => {
    const { status, body } = await send([{ user: 'four', content: 'fine', trackId: 'four' }, { user: 'four' }])
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid-request', details: { index: 1, field: 'content' } })
    expect((await call('GET', '/api/messages?trackId=four')).body.data).toEqual([])
  })

  it('takes * for everybody on the public channel', async () => {
    const before = (await send({ user: '*', content: 'all' })).body.count
    await registerDevice(callAsClient, {})
    expect((await send({ user: '*', content: 'all' })).body.count).toBe(before + 1)
  })

  it('takes every field of a message and gives them back', async () => {
    await registerDevice(callAsClient, { userId: 'fields' })
    const message = {
      user: 'fields',
      content: 'text',
      channel: 'default',
      data: { order: 42, nested: { a: [1, 'two', null] } },
      trackId: 'track-1',
      inApp: true,
      autoNotify: false,
      useAsAlert: true,
      alertText: 'alert',
      ttl: 3600,
      silent: false,
      clientId: 'client-1',
      fallback: { content: 'sms', delay: 30, media: 'sms' },
      notification: {
        title: 'Title',
        body: 'Body',
        groupId: 'g',
        icon: 'https://x.example/i.png',
        sound: 'ping.mp3',
        clickUrl: 'https://x.example',
        ledColor: '#ff0000',
        smallIcon: 'ic_small',
        mediaType: 'jpg',
        mediaUrl: 'https://x.example/m.jpg',
        contentAvailable: 1,
        mutableContent: '1',
        category: 'c',
        requireInteraction: true,
        renotify: true,
        vibrate: [100, 200],
        dir: 'rtl',
        color: '#00ff00',
        largeIcon: 'https://x.example/l.png',
        chromeBadge: 'https://x.example/b.png',
        actions: [{ id: 'reply', title: 'Reply', options: 5, icon: 'ic_reply', url: 'shop://reply', action: 'reply' }],
      },
    }
    const { body } = await send(message)
    const stored = (await call('GET', `/api/messages/fetchById/${body.id}`)).body
    expect(stored).toMatchObject({
      content: 'text',
      data: message.data,
      trackId: 'track-1',
      clientId: 'client-1',
      alertText: 'alert',
      inApp: true,
    })
    expect(stored.notification).toMatchObject({ ...message.notification, contentAvailable: true, mutableContent: true })
    expect(stored.fallback).toMatchObject({ content: 'sms', delay: 30, media: 'sms' })
  })

  it('reaches a channel only through installations that are subscribed to it', async () => {
    await registerDevice(callAsClient, { userId: 'chan', subscriptions: ['default', 'public/news', 'orders'] })
    await registerDevice(callAsClient, { userId: 'chan' })
    const count = async (channel: string) => (await send({ user: 'chan', content: 'x', channel })).body.count
    expect(await count('')).toBe(2)
    expect(await count('default')).toBe(2)
    expect(await count('news')).toBe(1)
    expect(await count('/public/news')).toBe(1)
    expect(await count('/private/orders')).toBe(1)
    expect(await count('orders')).toBe(0)
    const { body } = await send({ user: 'chan', content: 'x', channel: 'news' })
    const deliveries = (await call('GET', `/api/messages/${body.id}/deliveries`)).body.data
    expect(
      deliveries.map((delivery: { reason?: string; state: string }) => delivery.reason ?? delivery.state).sort(),
    ).toEqual(['not-in-channel', 'queued'])
  })

  it('accepts an unknown user with a count of 0', async () => {
    expect((await send({ user: 'nobody-yet', content: 'x' })).body.count).toBe(0)
  })

  it('does not count uninstalled devices', async () => {
    const device = await registerDevice(callAsClient, { userId: 'gone' })
    await callAsClient('DELETE', `/api/installations/${device.id}`)
    expect((await send({ user: 'gone', content: 'x' })).body.count).toBe(0)
  })

  it.each([
    [{ content: 'x' }, /user/],
    [{ user: 'u' }, /content/],
    [{ user: 'u', users: ['v'], content: 'x' }, /user/],
    [{ user: 'u', content: 'x', segment: { all: [] } }, /segment/],
    [{ user: 'a b', content: 'x' }, /user id/],
    [{ user: 'u', content: 'x', ttl: -1 }, /ttl/],
    [{ user: 'u', content: 'x', ttl: 'soon' }, /ttl/],
    [{ user: 'u', content: 'x', data: [1] }, /data/],
    [{ user: 'u', content: 'x', notification: {} }, /notification.title/],
    [{ user: 'u', content: 'x', notification: { title: 't', clickUrl: 'javascript:alert(1)' } }, /clickUrl/],
    [{ user: 'u', content: 'Hello {{ user.name' }, /content/],
    [{ users: [], content: 'x' }, /users/],
    [[], /empty/],
  ])('refuses %j', async (body, message) => {
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(message)
  })

  it('takes 10,000 users, and no more', async () => {
    const users = Array.from({ length: 10_001 }, (_, index) => `many-${index}`)
    expect((await send({ users: users.slice(1), content: 'x' })).status).toBe(200)
    expect((await send({ users, content: 'x' })).status).toBe(413)
  })
})
