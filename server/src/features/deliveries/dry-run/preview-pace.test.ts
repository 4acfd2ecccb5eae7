import { expect, test } from 'vitest'
import { previewPace } from './preview-pace.ts'

const acceptedAt = new Date(Date.UTC(2026, 10, 15))
const draft = (perMinute: number, ttlSeconds: number) => ({
  acceptedAt,
  expiresAt: new Date(acceptedAt.getTime() + ttlSeconds * 1_000),
  body: { content: 'Hello', throttle: { perMinute } },
})

test('a message without a throttle takes as long as it takes', () => {
  expect(previewPace({ ...draft(1, 60), body: { content: 'Hello' } }, 1_000)).toBeUndefined()
})

test.each([
  [600, 6_000, 600],
  [600, 1, 0],
  [600, 0, 0],
  [1, 3, 120],
  [7, 8, 60],
  [10_000_000, 1_000_000, 6],
])('%d a minute take %d installations in %d seconds', (perMinute, count, takesSeconds) => {
  expect(previewPace(draft(perMinute, 86_400), count)).toEqual({ takesSeconds, late: 0 })
})

test('whose turn comes after the message has expired is late', () => {
  expect(previewPace(draft(60, 100), 250)).toEqual({ takesSeconds: 249, late: 150 })
  expect(previewPace(draft(60, 250), 250)).toEqual({ takesSeconds: 249, late: 0 })
  expect(previewPace(draft(1, 30), 2)).toEqual({ takesSeconds: 60, late: 1 })
})
