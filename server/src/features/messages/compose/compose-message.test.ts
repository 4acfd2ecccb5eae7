import { describe, expect, it } from 'vitest'
import { composeMessage } from './compose-message.ts'

describe('a composed message', () => {
  it('keeps flags only when they are set, and leaves out what is not part of the text', () => {
    const sent = {
      user: 'a',
      content: 'hi',
      silent: false,
      inApp: true,
      ttl: 5,
      channel: 'x',
      trackId: 't',
      clientId: 'c',
    }
    expect(composeMessage(sent)).toEqual({ content: 'hi', inApp: true })
  })

  it('leaves out unknown keys, also inside the notification and its actions', () => {
    const sent = {
      user: 'a',
      content: 'hi',
      colour: 'red',
      notification: { title: 't', shape: 'round', actions: [{ id: 'a', size: 2 }] },
    }
    expect(composeMessage(sent)).toEqual({ content: 'hi', notification: { title: 't', actions: [{ id: 'a' }] } })
  })

  it('keeps data as it came', () => {
    const data = { nothing: null, list: [1, 'two', { three: true }], text: '' }
    expect(composeMessage({ content: '', data })).toEqual({ content: '', data })
    expect(composeMessage({ content: '', data: [] })).toEqual({ content: '', data: {} })
  })

  it('keeps the fields that only the examples of the specification show', () => {
    const notification = {
      title: 't',
      vibrate: [100, 200],
      dir: 'rtl',
      color: '#fff',
      largeIcon: 'https://example.com/l.png',
      chromeBadge: 'https://example.com/b.png',
      actions: [{ id: 'r', title: 'Reply', action: 'reply', options: 5, icon: 'i', url: 'app://r' }],
    }
    expect(composeMessage({ content: 'hi', notification }).notification).toEqual(notification)
  })

  it('takes text as the body of a notification, unless it has a body', () => {
    expect(composeMessage({ notification: { title: 't', text: 'x' } }).notification).toEqual({ title: 't', body: 'x' })
    expect(composeMessage({ notification: { title: 't', text: 'x', body: 'b' } }).notification?.body).toBe('b')
  })

  it('keeps the notification flags only when they are set', () => {
    const notification = { title: 't', contentAvailable: true, mutableContent: false, actions: [] }
    expect(composeMessage({ notification }).notification).toEqual({ title: 't', contentAvailable: true })
    expect(composeMessage({ notification: { title: 't', requireInteraction: true, renotify: true } })).toEqual({
      notification: { title: 't', requireInteraction: true, renotify: true },
    })
    expect(composeMessage({ notification: { title: 't', requireInteraction: false, renotify: false } })).toEqual({
      notification: { title: 't' },
    })
  })

  it('fills in what a fallback leaves open', () => {
    expect(composeMessage({ fallback: { content: 'sms' } }).fallback).toEqual({
      content: 'sms',
      delay: 60,
      media: 'sms',
      policy: 'NOT_RECEIVED',
    })
    expect(
      composeMessage({ fallback: { content: 'sms', delay: 0, media: 'SMS', policy: 'NOTIFICATION_SHOWN' } }).fallback,
    ).toEqual({ content: 'sms', delay: 0, media: 'sms', policy: 'NOTIFICATION_SHOWN' })
  })
})
