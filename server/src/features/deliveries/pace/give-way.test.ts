import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GiveWay } from './give-way.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('rests longer and longer while personal messages are slow, up to a second', () => {
  const giveWay = new GiveWay()
  expect(giveWay.nextRest()).toBe(0)
  const rests: number[] = []
  for (let turn = 0; turn < 7; turn++) {
    giveWay.note(40)
    rests.push(giveWay.nextRest())
  }
  expect(rests).toEqual([50, 100, 200, 400, 800, 1_000, 1_000])
})

it.each([
  ['they are quick again', (giveWay: GiveWay) => giveWay.note(5)],
  ['there are none any more', () => vi.advanceTimersByTime(1_000)],
])('rests less and less when %s', (_, change) => {
  const giveWay = new GiveWay()
  for (let turn = 0; turn < 3; turn++) {
    giveWay.note(40)
    giveWay.nextRest()
  }
  change(giveWay)
  expect([giveWay.nextRest(), giveWay.nextRest(), giveWay.nextRest()]).toEqual([100, 50, 0])
})
