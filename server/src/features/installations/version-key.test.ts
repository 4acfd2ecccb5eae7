import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { versionKey } from './version-key.ts'

const key = (version: string) => versionKey(version) as string

describe('version keys', () => {
  it.each([
    ['1.9', '1.10'],
    ['1', '1.0.1'],
    ['1.2-beta', '1.2'],
    ['9.99.99', '10'],
    ['1.2.3', '1.2.20261115'],
    ['1.2-alpha', '1.2-beta'],
  ])('%s is before %s', (lower, higher) => {
    expect(key(lower) < key(higher)).toBe(true)
  })

  it.each([
    ['1', '1.0'],
    ['1.02', '1.2'],
    ['v2.1', '2.1'],
    ['14_2', '14.2'],
  ])('%s equals %s', (left, right) => {
    expect(key(left)).toBe(key(right))
  })

  it.each(['', 'beta', '.1'])('"%s" is no version', (text) => {
    expect(versionKey(text)).toBeUndefined()
  })

  it('sort as their parts do', () => {
    const parts = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        expect(Math.sign(compareText(key(left.join('.')), key(right.join('.'))))).toBe(
          Math.sign(compareParts(left, right)),
        )
      }),
    )
  })
})

function compareText(left: string, right: string) {
  return left < right ? -1 : left > right ? 1 : 0
}

function compareParts(left: number[], right: number[]) {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
