import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { silentLog } from '../../../test/helpers/test-store.ts'
import { RequestError } from './errors.ts'
import { createLoop } from './loop.ts'

const HOUR = 3_600_000

test('turns follow one another while there is more, then after the time', async () => {
  let turns = 0
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: 5, turn: async () => ++turns < 5 })
  loop.start()
  loop.start()
  await expect.poll(() => turns).toBeGreaterThan(8)
  await loop.stop()
})

test('a wake brings the next turn at once, also one that comes during a turn', async () => {
  let turns = 0
  let release = () => {}
  const turn = () =>
    new Promise<boolean>((resolve) => {
      turns++
      release = () => resolve(false)
    })
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn })
  loop.start()
  await expect.poll(() => turns).toBe(1)
  loop.wake()
  release()
  await expect.poll(() => turns).toBe(2)
  release()
  await delay(20)
  loop.wake()
  await expect.poll(() => turns).toBe(3)
  release()
  await loop.stop()
})

test('stop waits for the turn under way and for no other', async () => {
  let [turns, ended] = [0, 0]
  const turn = async () => {
    turns++
    await delay(20)
    ended++
    return true
  }
  const loop = createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn })
  loop.start()
  await expect.poll(() => turns).toBeGreaterThan(0)
  await loop.stop()
  expect(ended).toBe(turns)
  const waiting = createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn: async () => false })
  waiting.start()
  await delay(30)
  await waiting.stop()
  await createLoop({ name: 'test', log: silentLog, everyMs: HOUR, turn }).stop()
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
  await expect.poll(() => turns).toBeGreaterThan(6)
  await loop.stop()
  expect(lines).toEqual([50, 50, 40])
})
