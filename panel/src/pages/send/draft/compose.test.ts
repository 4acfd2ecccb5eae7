import { describe, expect, it } from 'vitest'
import { composeMessage, composeReceivers, readWhen } from './compose.ts'
import { type Draft, emptyAction, emptyDraft } from './draft.ts'
import { readSpan } from './read-span.ts'

const draft = (changes: Partial<Draft> = {}): Draft => ({ ...structuredClone(emptyDraft), ...changes })
const who = (changes: Partial<Draft['who']>, more: Partial<Draft> = {}) =>
  draft({ ...more, who: { ...emptyDraft.who, ...changes } })

describe('receivers', () => {
  it.each([
    [who({ users: ' sara,omid\nsara; 09۱ ' }), { users: ['sara', 'omid', '09۱'] }],
    [who({ users: 'sara', kind: 'users' }, { channel: '/private/x' }), { users: ['sara'], channel: '/private/x' }],
    [who({ kind: 'segment', segment: 'id' }), { target: 'id' }],
    [who({ kind: 'rules', rules: { all: [{ name: 'x' }] } }), { segment: { all: [{ name: 'x' }] } }],
    [who({ kind: 'channel', channel: 'news' }), { target: {}, channel: 'public/news' }],
    [who({ kind: 'channel', channel: 'public/news' }), { target: {}, channel: 'public/news' }],
    [
      who({ kind: 'channel', channel: 'news' }, { product: 'notification' }),
      { segment: { all: [{ name: 'channel', operator: 'equal_to', value: 'public/news' }] } },
    ],
    [who({ kind: 'everybody' }), { target: {} }],
    [who({ kind: 'everybody' }, { product: 'notification', channel: 'news' }), { target: {} }],
  ])('%# are what the service asks for', (sent, receivers) => {
    expect(composeReceivers(sent)).toEqual({ receivers, faults: {} })
  })

  it.each([
    [who({}), { users: 'noUsers' }],
    [who({ users: 'a/b c' }), { users: 'wrongUsers' }],
    [who({ users: Array.from({ length: 10_001 }, (_, index) => index).join(' ') }), { users: 'tooManyUsers' }],
    [who({ kind: 'segment' }), { target: 'noSegment' }],
    [who({ kind: 'rules', rules: { all: [] } }), { segment: 'noRules' }],
    [who({ kind: 'rules', rules: undefined }), { segment: 'noRules' }],
    [who({ kind: 'rules', rules: { all: [{ name: 'tags', operator: 'equal_to' }] } }), { segment: 'incompleteRules' }],
    [who({ kind: 'channel', channel: ' ' }), { channel: 'noChannel' }],
  ])('%# are refused, and nobody is chosen', (sent, faults) => {
    expect(composeReceivers(sent)).toEqual({ receivers: {}, faults })
  })
})

describe('a composed message', () => {
  it('has only what was filled in', () => {
    expect(composeMessage(draft({ content: 'Hello' }), 'Shop')).toEqual({
      message: { product: 'message', content: 'Hello' },
      faults: {},
    })
  })

  it('has every field', () => {
    const full = draft({
      who: { ...emptyDraft.who, users: 'sara' },
      content: 'Hello',
      alertText: 'alert',
      data: '{"a":1}',
      trackId: ' sale ',
      ttl: { amount: '۲', unit: 'hours' },
      flags: { ...emptyDraft.flags, silent: true },
      notification: {
        ...emptyDraft.notification,
        body: 'b',
        vibrate: '200, 100',
        contentAvailable: true,
        requireInteraction: true,
        actions: [{ ...emptyAction, title: 'Open', url: 'https://x.example', options: 5 }],
      },
      fallback: { isOn: true, content: 'sms', delay: { amount: '2', unit: 'minutes' }, policy: 'NOTIFICATION_SHOWN' },
    })
    expect(composeMessage(full, 'Shop')).toEqual({
      message: {
        product: 'message',
        content: 'Hello',
        alertText: 'alert',
        data: { a: 1 },
        trackId: 'sale',
        ttl: 7200,
        silent: true,
        notification: {
          title: 'Shop',
          body: 'b',
          vibrate: [200, 100],
          contentAvailable: true,
          requireInteraction: true,
          actions: [{ id: 'action-1', title: 'Open', url: 'https://x.example', options: 5 }],
        },
        fallback: { content: 'sms', delay: 120, media: 'sms', policy: 'NOTIFICATION_SHOWN' },
      },
      faults: {},
    })
  })

  it('names what is wrong at its field', () => {
    const wrong = draft({
      who: { ...emptyDraft.who, users: 'sara' },
      data: '[1]',
      ttl: { amount: 'x', unit: 'hours' },
      notification: { ...emptyDraft.notification, vibrate: 'a', actions: [emptyAction] },
      fallback: { ...emptyDraft.fallback, isOn: true },
    })
    expect(composeMessage(wrong, 'Shop').faults).toEqual({
      content: 'noText',
      data: 'notObject',
      ttl: 'notNumber',
      'notification.vibrate': 'wrongVibration',
      'notification.actions[0].title': 'noActionTitle',
      'fallback.content': 'noSmsText',
    })
    expect(composeMessage(draft({ content: 'x', data: '{' }), 'Shop').faults).toEqual({ data: 'notJson' })
    expect(composeMessage(draft({ product: 'notification' }), 'Shop').faults).toEqual({
      'notification.body': 'noText',
    })
  })

  it.each([
    ['', undefined, undefined],
    ['6000', { perMinute: 6_000 }, undefined],
    ['۶٬۰۰۰', { perMinute: 6_000 }, undefined],
    ['0', undefined, 'notWhole'],
    ['1.5', undefined, 'notWhole'],
    ['many', undefined, 'notWhole'],
  ])('has a pace: %s', (perMinute, throttle, fault) => {
    const { message, faults } = composeMessage(draft({ content: 'x', perMinute }), 'Shop')
    expect([message.throttle, faults['throttle.perMinute']]).toEqual([throttle, fault])
  })

  it('has an SMS for named users only', () => {
    const sent = draft({ who: { ...emptyDraft.who, kind: 'everybody' }, content: 'x' })
    sent.fallback = { ...sent.fallback, isOn: true, content: 'sms' }
    expect(composeMessage(sent, 'Shop').message).not.toHaveProperty('fallback')
  })
})

it('reads digits of every script', () => {
  expect(readSpan({ amount: ' ۱.۵ ', unit: 'days' })).toBe(129_600)
  expect(readSpan({ amount: '-1', unit: 'days' })).toBe('notNumber')
})

describe('when it goes', () => {
  const at = '2026-12-01T09:00:00.000Z'
  const now = Date.parse(at)

  it('is now unless a later moment is chosen', () => {
    expect(readWhen({ isLater: false, at }, now - 1)).toBeUndefined()
    expect(readWhen({ isLater: true, at }, now - 1)).toBe(now)
    expect(readWhen({ isLater: true, at }, now)).toBe('pastTime')
    expect(readWhen({ isLater: true, at: '' }, now)).toBe('noTime')
  })

  it('is a time on the clocks of the users, until it has passed for the last of them', () => {
    const local = { isLater: true, at: new Date(2026, 11, 1, 9, 30).toISOString(), isLocal: true }
    const last = Date.UTC(2026, 11, 1, 21, 30)
    expect(readWhen(local, last - 1)).toEqual({ local: '2026-12-01T09:30', late: 'now' })
    expect(readWhen({ ...local, late: 'skip' }, last - 1)).toEqual({ local: '2026-12-01T09:30', late: 'skip' })
    expect(readWhen(local, last)).toBe('pastTime')
    expect(readWhen({ ...local, isLater: false }, last)).toBeUndefined()
  })

  it('is part of the request, or a fault of its field', () => {
    const later = { ...emptyDraft, content: 'x', when: { isLater: true, at: '2999-01-01T00:00:00.000Z' } }
    expect(composeMessage(later, 'Shop').message.sendAt).toBe(Date.parse('2999-01-01T00:00:00.000Z'))
    expect(composeMessage({ ...later, when: { isLater: true, at: '' } }, 'Shop').faults).toEqual({ sendAt: 'noTime' })
    expect(composeMessage({ ...later, when: { isLater: false, at } }, 'Shop').message).not.toHaveProperty('sendAt')
  })
})
