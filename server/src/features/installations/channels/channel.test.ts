import { describe, expect, it } from 'vitest'
import { isDefault, readChannel, readSubscriptions, subscriptionOf } from './channel.ts'

describe('the channel a message names', () => {
  it.each([
    ['', 'public/default'],
    ['default', 'public/default'],
    ['news', 'public/news'],
    ['public/news', 'public/news'],
    ['/public/news', 'public/news'],
    ['private/orders', 'orders'],
    ['/private/orders', 'orders'],
  ])('"%s" is kept as the subscription %s', (text, subscription) => {
    expect(subscriptionOf(readChannel(text))).toBe(subscription)
  })

  it('is the default one when it is empty', () => {
    expect(isDefault(readChannel(''))).toBe(true)
    expect(isDefault(readChannel('private/default'))).toBe(false)
  })
})

it('keeps subscriptions once and leaves out the default channel', () => {
  expect(readSubscriptions(['default', 'public/news', 'orders', 'private/orders', '/public/news', ''])).toEqual([
    'public/news',
    'orders',
  ])
})
