import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Retry } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tries until it is done, with pauses in between', async () => {
  let tries = 0
  const retry = new Retry(async () => {
    if (++tries < 3) throw new Error('not yet')
    return true
  })
  retry.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(tries).toBe(1)
  await vi.runAllTimersAsync()
  expect(tries).toBe(3)
})

it('is woken from a pause, never runs twice at once, and runs again for what came meanwhile', async () => {
  let running = 0
  let runs = 0
  let isDone = false
  const retry = new Retry(async () => {
    expect(++running).toBe(1)
    await Promise.resolve()
    running--
    runs++
    return isDone
  })
  retry.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(1)
  isDone = true
  retry.wake()
  retry.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

it('stops', async () => {
  let runs = 0
  const retry = new Retry(async () => {
    runs++
    return false
  })
  retry.wake()
  await vi.advanceTimersByTimeAsync(0)
  retry.stop()
  await vi.runAllTimersAsync()
  expect(runs).toBe(1)
})
