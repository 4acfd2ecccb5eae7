import { describe, expect, it } from 'vitest'
import { PacketAllowance } from './packet-allowance.ts'

const allowance = () => new PacketAllowance({ perSecond: 50, mostHeldBack: 1_000, nowMs: 0 })
const takeMany = (own: PacketAllowance, count: number, nowMs: number) => {
  let waitMs = 0
  for (let taken = 0; taken < count; taken++) waitMs = own.take(nowMs)
  return waitMs
}

describe('what a client may ask', () => {
  it('is four seconds’ worth at once, and then so many a second', () => {
    const own = allowance()
    expect(takeMany(own, 200, 0)).toBe(0)
    expect(own.take(0)).toBe(20)
    expect(own.take(20)).toBe(20)
    expect(own.take(60)).toBe(0)
  })

  it('is used up sooner by large packets: they count once for every 16 KiB', () => {
    const own = allowance()
    for (let count = 0; count < 12; count++) expect(own.take(0, 256 * 1024)).toBe(0)
    expect(own.take(0, 16 * 1024)).toBe(0)
    expect(own.take(0, 7 * 16 * 1024)).toBe(0)
    expect(own.take(0, 16 * 1024 + 1)).toBe(40)
  })

  it('does not grow beyond the burst, however long nothing came', () => {
    const own = allowance()
    expect(takeMany(own, 200, 3_600_000)).toBe(0)
    expect(own.take(3_600_000)).toBeGreaterThan(0)
  })

  it('is abused by who never lets up, and not by who does', () => {
    const [steady, pausing] = [allowance(), allowance()]
    let nowMs = 0
    for (let count = 0; count < 1_200; count++) nowMs += steady.take(nowMs)
    expect(steady.isAbused).toBe(false)
    expect(nowMs).toBeGreaterThanOrEqual(19_999)
    for (let count = 0; count < 2; count++) nowMs += steady.take(nowMs)
    expect(steady.isAbused).toBe(true)

    const late = allowance()
    nowMs = 0
    for (let count = 0; count < 1_202; count++) if (late.take(nowMs) > 0) nowMs += 200
    expect(late.isAbused).toBe(true)

    nowMs = 0
    for (let round = 0; round < 10; round++) {
      for (let count = 0; count < 400; count++) nowMs += pausing.take(nowMs)
      nowMs += 4_000
    }
    expect(pausing.isAbused).toBe(false)
  })
})
