import { openTwoProcesses } from '@peyk/test/database/two-processes.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import { RateLimit } from './rate-limit.ts'

const [store, other] = await openTwoProcesses()
const windowMs = 10_000

/** A limit of 100 whose clocks stand at so many seconds. */
function limitOf(name: string, seconds: () => number, of = store) {
  const now = () => new Date(seconds() * 1_000)
  return new RateLimit(100, windowMs, () => seconds() * 1_000, { store: of, now, name })
}

it('holds for all processes together', async () => {
  const here = limitOf('together', () => 3)
  const there = limitOf('together', () => 7, other)
  there.take('a')
  expect(here.take('a', 60)).toBe(40)
  await poll(() => there.take('a', 0)).toBe(39)
  expect(there.take('a', 40)).toBe(-1)
  await poll(() => here.take('a', 0)).toBe(-1)
  expect(here.take('b')).toBe(99)
})

it('begins anew with the next window, which is that of the service', async () => {
  let seconds = 8
  const here = limitOf('windows', () => seconds)
  const there = limitOf('windows', () => seconds, other)
  here.take('a', 60)
  await poll(() => there.take('a', 0)).toBe(40)
  expect(there.secondsLeft()).toBe(2)
  seconds = 10
  expect([here.take('a'), there.take('a')]).toEqual([99, 99])
})

it('keeps the windows of a process that is alone as they are: they begin when somebody comes', () => {
  let seconds = 8
  busOf(store).peers.record([], performance.now())
  const alone = limitOf('alone', () => seconds)
  expect([alone.take('a', 100), alone.take('a'), alone.secondsLeft()]).toEqual([0, -1, 10])
  seconds = 17
  expect(alone.take('a')).toBe(-2)
  seconds = 18
  expect(alone.take('a')).toBe(99)
})
