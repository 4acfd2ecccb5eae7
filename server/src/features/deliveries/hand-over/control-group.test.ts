import { describe, expect, it } from 'vitest'
import { isInControlGroup } from './control-group.ts'

const users = Array.from({ length: 4_000 }, (_, index) => `user-${index}`)
const groupOf = (percent: number, appId = 1) => users.filter((userId) => isInControlGroup(appId, userId, percent))

describe('the control group', () => {
  it('has nobody at 0 percent, and about as many as its share says', () => {
    expect(groupOf(0)).toEqual([])
    for (const percent of [1, 10, 50]) {
      const expected = (users.length * percent) / 100
      expect(Math.abs(groupOf(percent).length - expected)).toBeLessThan(5 * Math.sqrt(expected))
    }
  })

  it('keeps who is in it when its share grows', () => {
    const larger = new Set(groupOf(20))
    expect(groupOf(5).every((userId) => larger.has(userId))).toBe(true)
  })

  it('is another one in every app, and always the same there', () => {
    expect(groupOf(10, 2)).not.toEqual(groupOf(10, 1))
    expect(groupOf(10).slice(0, 5)).toEqual(groupOf(10).slice(0, 5))
  })
})
