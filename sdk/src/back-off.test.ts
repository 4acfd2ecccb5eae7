import { expect, it } from 'vitest'
import { backOffMs } from './back-off.ts'

it('doubles up to a minute, and is spread over half of it', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => backOffMs(failures, () => 1))
  expect(longest).toEqual([1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000])
  expect(backOffMs(3, () => 0)).toBe(2000)
  expect(backOffMs(0, () => 0)).toBe(500)
})
