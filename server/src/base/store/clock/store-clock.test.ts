import { createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { afterEach, expect, it, vi } from 'vitest'
import { forwardTime } from '#features/demo/forward-time.ts'
import { realTime } from '../../clock.ts'
import { StoreClock } from './store-clock.ts'

const store = await createTestStore()
const closeEnoughMs = 5_000

afterEach(() => void vi.useRealTimers())

const readDatabase = async () => {
  const [row] = await store.query<{ at: Date }>(sql`select clock_timestamp() as at`)
  return row?.at.getTime() ?? 0
}

it.each([1, -1])("stays with the database when this machine's clock jumps by %d day", async (days) => {
  const clock = new StoreClock(store, () => new Date())
  await clock.look()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + days * 86_400_000)
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(closeEnoughMs)
})

it('finds the time again when this machine was wrong from the beginning', async () => {
  const clock = new StoreClock(store, () => new Date(0))
  expect(clock.now().getTime()).toBeLessThan(closeEnoughMs)
  await clock.look()
  expect(Math.abs(clock.now().getTime() - (await readDatabase()))).toBeLessThan(closeEnoughMs)
})

it('goes on between two looks', async () => {
  const clock = new StoreClock(store, () => new Date())
  await clock.look()
  const first = clock.now().getTime()
  await poll(() => clock.now().getTime()).toBeGreaterThan(first)
})

it('knows the real time, too, when time was put forward', async () => {
  const moved = await createTestStore()
  const clock = new StoreClock(moved, () => new Date())
  await clock.measure()
  const before = await readDatabase()
  await forwardTime(moved, 7 * 86_400)
  await clock.measure()
  expect(Math.abs(Number(clock.now()) - before - 7 * 86_400_000)).toBeLessThan(closeEnoughMs)
  expect(Math.abs(Number(realTime(clock.now)) - before)).toBeLessThan(closeEnoughMs)
})

it('stays forward when an answer from before comes last', async () => {
  const late = Promise.withResolvers<void>()
  let asks = 0
  const database = {
    query: async () => {
      const isLate = ++asks === 1
      if (isLate) await late.promise
      return [{ at: new Date(), ahead: isLate ? 0 : 3_600 }]
    },
  }
  const clock = new StoreClock(database as never, () => new Date())
  const measuredBefore = clock.measure(1)
  await clock.measure(1)
  late.resolve()
  await measuredBefore
  expect(clock.forwardMs).toBe(3_600_000)
})

it('stands still rather than step back, unless the database was put back by far', async () => {
  let ahead = 30
  const database = { query: async () => [{ at: new Date(Date.now() + ahead * 1_000), ahead: 0 }] }
  const clock = new StoreClock(database as never, () => new Date())
  await clock.measure()
  const first = clock.now()
  ahead = 0
  await clock.measure()
  expect(clock.now()).toEqual(first)
  ahead = -3_600
  await clock.measure()
  expect(Number(clock.now())).toBeLessThan(Number(first) - 3_500_000)
})
