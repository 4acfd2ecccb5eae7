import { setImmediate as nextTurnOfEvents } from 'node:timers/promises'
import { silentLog } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RequestError } from './errors.ts'
import { createLoop } from './loop.ts'

const HOUR = 3_600_000

function useFakeTime(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

test('turns follow one another while there is more, then after the time', async () => {
  let turns = 0
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: 5, turn: async () => ++turns < 5 })
  loop.start()
  loop.start()
  await poll(() => turns).toBeGreaterThan(8)
  await loop.stop()
})

test('a wake brings the next turn at once, also one that comes during a turn', async () => {
  useFakeTime()
  let turns = 0
  let release = () => {}
  const turn = () =>
    new Promise<boolean>((resolve) => {
      turns++
      release = () => resolve(false)
    })
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn })
  loop.start()
  expect(turns).toBe(1)
  loop.wake()
  release()
  await vi.advanceTimersByTimeAsync(10)
  expect(turns).toBe(2)
  release()
  await vi.advanceTimersByTimeAsync(HOUR - 1)
  expect(turns).toBe(2)
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(turns).toBe(3)
  release()
  await loop.stop()
})

test('stop waits for the turn under way and for no other', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<boolean>()
  let turns = 0
  const turn = () => {
    turns++
    return held
  }
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn })
  loop.start()
  const ends: string[] = []
  const stopped = loop.stop().then(() => ends.push('stopped'))
  await nextTurnOfEvents()
  ends.push('released')
  release(true)
  await stopped
  expect(ends).toEqual(['released', 'stopped'])
  expect(turns).toBe(1)
})

test('stop does not wait for the time of the next turn', async () => {
  useFakeTime()
  let turns = 0
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn: async () => ++turns < 0 })
  loop.start()
  await vi.advanceTimersByTimeAsync(HOUR / 2)
  await loop.stop()
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(turns).toBe(1)
  await createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn: async () => ++turns < 0 }).stop()
  expect(turns).toBe(1)
})

test('a turn that fails is logged and the loop goes on; a database that is away is one line', async () => {
  const lines: number[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line).level) })
  let turns = 0
  const turn = async () => {
    turns++
    if (turns <= 2) throw new Error('no luck')
    if (turns <= 5) throw new RequestError('store-away', 'away')
    return false
  }
  const loop = createLoop({ name: 'test', log, everyMs: 1, turn })
  loop.start()
  await poll(() => turns).toBeGreaterThan(6)
  await loop.stop()
  expect(lines).toEqual([50, 50, 40])
})
