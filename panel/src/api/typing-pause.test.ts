import { expect, it } from 'vitest'
import { pauseAfter } from './typing-pause.ts'

it.each([
  [12.4, 0],
  [150, 0],
  [180.2, 180],
  [5_000, 300],
])('after an answer that took %d ms, the next question waits for a pause of %d ms', (tookMs, pauseMs) => {
  expect(pauseAfter(tookMs)).toBe(pauseMs)
})
