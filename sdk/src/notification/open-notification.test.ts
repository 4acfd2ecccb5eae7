import { describe, expect, it } from 'vitest'
import { pageAddress, readOpening, receiptOf } from './open-notification.ts'

const peyk = {
  messageId: 'm1',
  trackId: 'sale',
  clickUrl: 'https://example.com/42',
  actionUrls: { track: 'https://example.com/track' },
}
const notification = { data: { order: 42, peyk } }
const known = { messageId: 'm1', trackId: 'sale', data: { order: 42 } }

describe('what was done to a notification', () => {
  it('is one of three kinds, with the address it leads to', () => {
    expect(readOpening(notification, 'click', '')).toEqual({ ...known, kind: 'opened', url: peyk.clickUrl })
    expect(readOpening(notification, 'click', 'track')).toEqual({
      ...known,
      kind: 'action-taken',
      actionId: 'track',
      url: 'https://example.com/track',
    })
    expect(readOpening(notification, 'click', 'later')).toEqual({ ...known, kind: 'action-taken', actionId: 'later' })
    expect(readOpening(notification, 'close', '')).toEqual({ ...known, kind: 'dismissed' })
  })

  it('is nothing to us when the app showed it itself', () => {
    expect(readOpening({ data: { order: 42 } }, 'click', '')).toBeUndefined()
    expect(readOpening({ data: null }, 'click', '')).toBeUndefined()
    expect(readOpening({}, 'close', '')).toBeUndefined()
  })

  it('is reported in the words of the service', () => {
    const reported = (['', 'later'] as const).map((actionId) => {
      const opened = readOpening(notification, 'click', actionId)
      return opened && receiptOf(opened, 7)
    })
    const common = { msgId: 'm1', trackId: 'sale', actionTs: 7 }
    expect(reported).toEqual([
      { ...common, actionType: 'OPENED' },
      { ...common, actionType: 'ACTION_TAKEN', actionId: 'later' },
    ])
    expect(receiptOf({ kind: 'dismissed', messageId: 'm1' }, 7)).toEqual({
      actionType: 'DISMISSED',
      msgId: 'm1',
      actionTs: 7,
    })
  })
})

describe('an address', () => {
  it.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['http://example.com', 'http://example.com/'],
    ['/orders/42', 'https://shop.example/orders/42'],
    ['orders', 'https://shop.example/app/orders'],
  ])('"%s" is the page %s', (url, page) => {
    expect(pageAddress(url, 'https://shop.example/app/')).toBe(page)
  })

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'shop://42',
    'blob:https://shop.example/1',
    'http://',
  ])('"%s" is no page', (url) => {
    expect(pageAddress(url, 'https://shop.example/app/')).toBeUndefined()
  })
})
