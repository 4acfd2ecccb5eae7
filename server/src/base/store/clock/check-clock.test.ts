import { expect, it } from 'vitest'
import { findClockFault } from './check-clock.ts'

const at = new Date('2026-11-16T12:00:00Z')
const MINUTE = 60_000
const DAY = 86_400_000
const clock = (forwardMs = 0) => ({ realNow: () => at, forwardMs })
const machine = (aheadMs: number, mode: 'development' | 'production' = 'production') => ({
  mode,
  machineNow: new Date(Number(at) + aheadMs),
})

it.each([0, 4 * MINUTE, -4 * MINUTE])('a machine that is %d ms ahead of the database may start', (aheadMs) => {
  expect(findClockFault(clock(), machine(aheadMs))).toBeUndefined()
})

it('a machine that is far from the database is refused with both times', () => {
  expect(findClockFault(clock(), machine(500 * DAY, 'development'))).toBe(
    'The clock of this machine says 2028-03-30T12:00:00.000Z and that of the database 2026-11-16T12:00:00.000Z: they differ by 500 days, and at most 5 minutes are allowed. Set the wrong one right.',
  )
  expect(findClockFault(clock(), machine(-10 * MINUTE))).toContain('differ by 10 minutes')
})

it('time that was put forward is no skew, and production refuses it', () => {
  expect(findClockFault(clock(7 * DAY), machine(0, 'development'))).toBeUndefined()
  expect(findClockFault(clock(7 * DAY), machine(0))).toContain('was put forward by 7 days')
})
