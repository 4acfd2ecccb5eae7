import { expect, it } from 'vitest'
import { endOf } from './inbox.ts'

const message = { id: '1', content: '', channel: 'default', isRead: false, createdAt: 1_000, expireAt: 5_000 }

it.each([
  ['as it says', { receivedAt: 1_500 }, 5_000],
  ['as it says, however late it came', { receivedAt: 4_999 }, 5_000],
  ['after its time, where the clock is fast by more than that', { receivedAt: 90_000 }, 94_000],
])('a message ends %s', (_, more, end) => {
  expect(endOf({ ...message, ...more })).toBe(end)
})

it('a message without an end has none', () => {
  const { expireAt: _, ...endless } = message
  expect(endOf({ ...endless, receivedAt: 2_000 })).toBe(Number.POSITIVE_INFINITY)
})
