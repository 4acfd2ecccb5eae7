import { describe, expect, it } from 'vitest'
import { firstIdAt, isUuid, timeOfId, timeOrderedId } from './ids.ts'

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
