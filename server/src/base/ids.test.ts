import { describe, expect, it } from 'vitest'
import { firstIdAt, idAfter, isUuid, nextId, timeOfId, timeOrderedId } from './ids.ts'

describe('time-ordered ids', () => {
  it('are UUIDs of version 7 that carry their time', () => {
    const at = new Date('2026-11-15T01:02:03.456Z')
    const id = timeOrderedId(at)
    expect(isUuid(id)).toBe(true)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(timeOfId(id)).toEqual(at)
    expect(id > firstIdAt(at)).toBe(true)
  })

  it('do not repeat', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => timeOrderedId(0)))
    expect(ids.size).toBe(10_000)
  })
})

describe('the ids of one clock', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const take = (count: number, clock: () => Date) => Array.from({ length: count }, () => nextId(clock))

  it('rise strictly within a millisecond, and carry it', () => {
    const at = new Date('2026-11-15T01:02:03.456Z')
    const ids = take(20_000, () => at)
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const id of ids) expect(id).toMatch(form)
    expect(timeOfId(ids.at(-1) as string)).toEqual(at)
  })

  it('rise strictly when the clock steps back, by a second or by a day, and follow it again when it has caught up', () => {
    const start = Date.UTC(2026, 10, 15)
    const times = [start, start - 1_000, start - 86_400_000, start, start + 1, start + 5, start + 4]
    let looks = 0
    const ids = take(times.length, () => new Date(times[looks++] as number))
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(ids.map((id) => timeOfId(id).getTime() - start)).toEqual([0, 0, 0, 0, 1, 5, 5])
  })

  it('do not depend on those of another clock', () => {
    const future = () => new Date('2030-01-01')
    const past = () => new Date('2020-01-01')
    expect(timeOfId(nextId(future))).toEqual(future())
    expect(timeOfId(nextId(past))).toEqual(past())
  })

  it('go on in the next millisecond when one has no more', () => {
    const at = new Date(1_000)
    // A counter of 18 bits begins in its lower half.
    const ids = take(2 ** 18, () => at)
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] as string))).toBe(true)
    expect(timeOfId(ids[0] as string)).toEqual(at)
    expect(timeOfId(ids.at(-1) as string)).toEqual(new Date(1_001))
  })
})

describe('the id after another one', () => {
  it('is greater, by as little as can be, and so is the one after that', () => {
    const at = new Date('2026-11-15T01:02:03.456Z')
    let last = timeOrderedId(at)
    for (let count = 0; count < 1_000; count++) {
      const next = idAfter(last)
      expect(next > last).toBe(true)
      expect(next).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(timeOfId(next)).toEqual(at)
      last = next
    }
  })

  it('is of the next millisecond when one has no more', () => {
    const last = '01931111-2222-7fff-bfff-ffffffffffff'
    const next = idAfter(last)
    expect(next > last).toBe(true)
    expect(timeOfId(next).getTime()).toBe(timeOfId(last).getTime() + 1)
  })
})
