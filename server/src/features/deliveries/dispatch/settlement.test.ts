import { expect, it } from 'vitest'
import { type Settlement, withPresentTimes } from './settlement.ts'

const now = new Date(Date.UTC(2026, 10, 15))
const ago = (ms: number) => new Date(now.getTime() - ms)

it('gives what waited long for the database the time at which it is stored, and leaves the rest as it is', () => {
  const settlement = { settled: [{ at: ago(9_000) }, { at: ago(60_000) }] } as Settlement
  expect(withPresentTimes(settlement, now).settled).toEqual([{ at: ago(9_000) }, { at: now }])
  const fresh = { settled: [{ at: ago(9_000) }] } as Settlement
  expect(withPresentTimes(fresh, now)).toBe(fresh)
})
