import { describe, expect, it } from 'vitest'
import { AnyNotification, GroupMessage, Notification, PersonalMessage } from './message-body.ts'
import { checker } from './schema/check.ts'

const checkMessage = checker(PersonalMessage)
const checkedValue = (input: unknown) => (checkMessage(input) as { value: unknown }).value
const messageOf = (input: unknown) => checkMessage(input).fault?.message

describe('the texts of a message by language', () => {
  it('are nested as in the message', () => {
    const contents = {
      fa: {
        content: 'سلام',
        data: { a: 1 },
        notification: { title: 't', dir: 'rtl', actions: [{ id: 'a', title: 'b' }] },
      },
      'zh-Hant': { alertText: 'x', fallback: { content: 'sms' } },
    }
    expect(checkedValue({ user: 'sara', content: 'x', contents })).toEqual({ user: 'sara', content: 'x', contents })
  })

  it.each([
    [{ fa: { content: 5 } }, '"contents.fa.content": expected a string, got 5.'],
    [{ fa: 'x' }, '"contents.fa": expected an object of texts, got "x".'],
    [{ 'fa-IR': { notification: [] } }, '"contents.fa-IR.notification": expected a notification object, got [].'],
    [
      { fa: { notification: { actions: [{ title: true }] } } },
      '"contents.fa.notification.actions[0].title": expected a string, got true.',
    ],
    [['fa'], expect.stringMatching(/^"contents": expected an object of languages/)],
  ])('are refused when they are %j', (contents, message) => {
    expect(messageOf({ user: 'sara', content: 'x', contents })).toEqual(message)
  })
})

describe('the values of a message', () => {
  it('are taken as they are: a number stays a number', () => {
    const values = { orderId: '1024', count: 2, price: 1.5, isVip: true, none: null }
    expect(checkedValue({ user: 'sara', content: 'x', values })).toMatchObject({ values })
    expect(checkedValue({ user: 'sara', content: 'x', values: [] })).toMatchObject({ values: [] })
  })

  it.each([
    [{ a: {} }, '"values.a": expected a text, a number, true or false, got {}.'],
    [{ a: ['x'] }, expect.stringMatching(/^"values.a": expected a text/)],
    ['x', expect.stringMatching(/^"values": expected an object of values/)],
    [['x'], expect.stringMatching(/^"values": expected an object of values/)],
  ])('are refused when they are %j', (values, message) => {
    expect(messageOf({ user: 'sara', content: 'x', values })).toEqual(message)
  })
})

describe('the body of a message', () => {
  it('takes every field of the specification as it is', () => {
    const body = {
      user: 'sara',
      content: 'hello',
      channel: '/private/orders',
      data: { any: [1, { deep: null }] },
      trackId: 't',
      inApp: true,
      live: false,
      autoNotify: true,
      useAsAlert: true,
      alertText: 'alert',
      ttl: 30,
      silent: false,
      clientId: 'c',
      fallback: { content: 'sms', delay: 5, media: 'sms', policy: 'NOTIFICATION_SHOWN' },
      notification: {
        title: 'title',
        body: 'body',
        groupId: 'g',
        icon: 'i',
        sound: 's',
        clickUrl: 'https://example.com',
        ledColor: '#ff0000',
        smallIcon: 'small',
        mediaType: 'jpeg',
        mediaUrl: 'https://example.com/a.jpg',
        contentAvailable: true,
        mutableContent: true,
        category: 'cat',
        requireInteraction: true,
        renotify: true,
        vibrate: [100, 50],
        dir: 'rtl',
        color: '#00ff00',
        largeIcon: 'https://example.com/l.png',
        chromeBadge: 'https://example.com/b.png',
        actions: [{ id: 'a', title: 'A', options: 5, icon: 'ic', url: 'app://x', action: 'reply' }],
      },
    }
    expect(checkedValue(structuredClone(body))).toEqual(body)
  })

  it.each([
    [
      { user: 42, content: 7 },
      { user: '42', content: '7' },
    ],
    [
      { user: ['a', 5], content: '' },
      { user: ['a', '5'], content: '' },
    ],
    [
      { user: 'a', content: '', data: [] },
      { user: 'a', content: '', data: [] },
    ],
    [
      { user: 'a', content: 1, data: '{"b":"2"}' },
      { user: 'a', content: '1', data: { b: '2' } },
    ],
    [
      { users: ['a', 5], content: '' },
      { users: ['a', '5'], content: '' },
    ],
    [
      { user: '*', content: '' },
      { user: '*', content: '' },
    ],
    [
      { user: 'a', content: '', ttl: '60', silent: '1', data: null },
      { user: 'a', content: '', ttl: 60, silent: true },
    ],
    [
      { user: 'a', content: '', notification: { title: 't', contentAvailable: 1, mutableContent: '1' } },
      { user: 'a', content: '', notification: { title: 't', contentAvailable: true, mutableContent: true } },
    ],
    [
      { user: 'a', content: '', notification: { title: 't', actions: [{ id: 3, options: '4' }] } },
      { user: 'a', content: '', notification: { title: 't', actions: [{ id: '3', options: 4 }] } },
    ],
  ])('%j becomes %j', (input, expected) => {
    expect(checkedValue(input)).toEqual(expected)
  })

  it('leaves what is inside data as it came', () => {
    const data = { number: '5', flag: 'true', nothing: null }
    expect(checkedValue({ user: 'a', content: 1, data })).toEqual({ user: 'a', content: '1', data: { ...data } })
  })

  it.each([
    [{ user: 'a', content: {} }, '"content": expected a string, got {}.'],
    [{ user: 'a', content: 'x', notification: { body: 'no title' } }, '"notification.title" is required.'],
    [{ user: 'a', content: 'x', ttl: -1 }, '"ttl": expected a number of seconds that is not negative, got -1.'],
    [{ user: 'a', content: 'x', ttl: 'soon' }, '"ttl": expected a number of seconds that is not negative, got "soon".'],
    [
      { user: 'a', content: 'x', ttl: Number.POSITIVE_INFINITY },
      '"ttl": expected a number of seconds that is not negative, got null.',
    ],
    [{ user: 'a', content: 'x', live: 'perhaps' }, '"live": expected true or false, got "perhaps".'],
    [{ user: 'a', content: 'x', data: 'text' }, '"data": expected a JSON object, got "text".'],
    [{ user: 'a', content: 'x', data: [1] }, '"data": expected a JSON object, got [1].'],
    [{ user: 'a', content: 'x', fallback: {} }, '"fallback.content" is required.'],
    [
      { user: 'a', content: 'x', fallback: { content: 'x', policy: 'NEVER' } },
      '"fallback.policy": expected one of "NOT_RECEIVED", "NOTIFICATION_SHOWN", got "NEVER".',
    ],
    [
      { user: 'a', content: 'x', fallback: { content: 'x', media: 'fax' } },
      '"fallback.media": expected "sms", got "fax".',
    ],
    [
      { user: 'a', content: 'x', fallback: { content: 'x', delay: -5 } },
      '"fallback.delay": expected a number of seconds from 0 to 2592000, got -5.',
    ],
    [
      { user: 'a', content: 'x', notification: { title: 't', vibrate: 'long' } },
      '"notification.vibrate": expected an array, got "long".',
    ],
  ])('%j is refused: %s', (input, message) => {
    expect(messageOf(input)).toBe(message)
  })

  it.each(['', 'a b', 'a/b', 'a\\b', '+98', 'a*', '**', '#', 'x'.repeat(65)])('"%s" is no user id', (user) => {
    expect(messageOf({ user, content: 'x' })).toContain('"user": expected a user id')
    expect(messageOf({ users: [user], content: 'x' })).toContain('"users')
  })

  it('takes "*" alone, not among others', () => {
    expect(messageOf({ users: ['*'], content: 'x' })).toContain('"users[0]": expected a user id')
    expect(messageOf({ user: ['a', '*'], content: 'x' })).toContain('"user": expected a user id')
  })

  it('takes ids of up to 255 bytes', () => {
    expect(messageOf({ user: 'a', content: 'x', trackId: 'é'.repeat(127) })).toBeUndefined()
    expect(messageOf({ user: 'a', content: 'x', trackId: 'é'.repeat(128) })).toContain(
      '"trackId": expected a text of at most 255 bytes',
    )
  })
})

describe('the other bodies', () => {
  it('a group message takes a target in both forms', () => {
    const check = checker(GroupMessage)
    expect(check({ target: '{}', content: 'x' }).fault).toBeUndefined()
    expect(check({ target: { deviceType: 'ios' }, content: 'x' }).fault).toBeUndefined()
    expect(check({ segment: { all: [] }, content: 'x' }).fault).toBeUndefined()
    expect(check({ target: 5.5, content: 'x' }).fault?.message).toContain('"target": expected a where-filter')
  })

  it('a notification may do without content', () => {
    expect(checker(AnyNotification)({ user: 'a', notification: { title: 't' } }).fault).toBeUndefined()
  })

  it('a notification object needs a title', () => {
    expect(checker(Notification)({ body: 'x' }).fault?.message).toBe('"title" is required.')
  })
})

describe('a throttle', () => {
  it.each([[1], [6_000], [10_000_000], ['600']])('takes %s a minute', (perMinute) => {
    expect(messageOf({ user: 'sara', content: 'hello', throttle: { perMinute } })).toBeUndefined()
  })

  it.each([[0], [-1], [1.5], [10_000_001], ['fast'], [null], [undefined]])('does not take %s', (perMinute) => {
    expect(messageOf({ user: 'sara', content: 'hello', throttle: { perMinute } })).toContain('throttle.perMinute')
  })

  it('has to be an object', () => {
    expect(messageOf({ user: 'sara', content: 'hello', throttle: 600 })).toContain('"throttle"')
  })
})
