import { expect, it } from 'vitest'
import { readMessageChannel } from './message-channel.ts'

it.each([
  ['', 'default', undefined],
  ['default', 'default', undefined],
  ['/public/default', 'default', undefined],
  ['private/default', 'private/default', undefined],
  ['news', 'public/news', 'public/news'],
  ['public/news', 'public/news', 'public/news'],
  ['/public/news', 'public/news', 'public/news'],
  ['private/orders', 'private/orders', 'orders'],
  ['/private/orders', 'private/orders', 'orders'],
])('channel "%s" is %s, subscribed to as %s', (sent, name, subscription) => {
  expect(readMessageChannel(sent)).toMatchObject({ name, subscription })
})

it('a channel that is kept means the same when it is read again', () => {
  for (const sent of ['', 'news', '/private/orders', 'private/default']) {
    const channel = readMessageChannel(sent)
    expect(readMessageChannel(channel.name)).toEqual(channel)
  }
})

it('a private channel needs a name', () => {
  expect(() => readMessageChannel('/private/')).toThrow('expected a name after "private/"')
})
