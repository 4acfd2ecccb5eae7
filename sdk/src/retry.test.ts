import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PeykError } from './rest.ts'
import { Retry } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const away = () => Promise.reject(new PeykError('network', 'away'))

it('tries until it is done, with pauses in between', async () => {
  let tries = 0
  const retry = new Retry(async () => {
    if (++tries < 3) await away()
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
    if (!isDone) await away()
  })
  retry.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(1)
  isDone = true
  retry.wake()
  retry.add()
  retry.add()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

it('takes new work at once, but not during a pause', async () => {
  let runs = 0
  let isAway = false
  const retry = new Retry(async () => {
    runs++
    if (isAway) await away()
  })
  retry.add()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(1)
  isAway = true
  for (let added = 0; added < 100; added++) {
    retry.add()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(runs).toBe(2)
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toBe(3)
})

it('pauses when it failed, though there was new work meanwhile', async () => {
  let runs = 0
  const retry = new Retry(async () => {
    runs++
    retry.add()
    await away()
  })
  retry.add()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(1)
})

it('waits as long as the service asks for, whoever wakes it', async () => {
  let runs = 0
  const retry = new Retry(async () => {
    if (++runs === 1) throw new PeykError('rate-limited', 'Slowly.', 429, 30_000)
  })
  retry.add()
  await vi.advanceTimersByTimeAsync(20_000)
  retry.wake()
  retry.add()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
})

it('stops, in a pause and in the middle of a run', async () => {
  let runs = 0
  let fail: () => void = () => undefined
  const retry = new Retry(() => {
    runs++
    return new Promise((_, reject) => {
      fail = () => reject(new Error('away'))
    })
  })
  retry.wake()
  retry.stop()
  fail()
  await vi.runAllTimersAsync()
  retry.wake()
  retry.add()
  await vi.runAllTimersAsync()
  expect(runs).toBe(1)

  const other = new Retry(() => {
    runs++
    return away()
  })
  other.wake()
  await vi.advanceTimersByTimeAsync(0)
  other.stop()
  await vi.runAllTimersAsync()
  expect(runs).toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})
