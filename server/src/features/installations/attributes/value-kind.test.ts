import { describe, expect, it } from 'vitest'
import { readDate, readTypedValue } from './value-kind.ts'

describe('the kind of a value', () => {
  it.each([
    ['Ali', 'text'],
    ['', 'text'],
    [12.5, 'number'],
    [false, 'boolean'],
    ['2026-03-01T09:30:00Z', 'date'],
    ['2026-03-01T09:30:00.123+03:30', 'date'],
    ['Sun, 01 Mar 2026 09:30:00 GMT', 'date'],
    ['2026-03-01', 'text'],
    ['2026-02-30T00:00:00Z', 'text'],
    [['a', 'b'], 'list'],
    [[], 'list'],
  ])('of %j is %s', (value, kind) => {
    expect(readTypedValue(value)?.kind).toBe(kind)
  })

  it.each([[{}], [null], [['a', 1]], [[['a']]], [Number.NaN], [undefined]])('%j has none', (value) => {
    expect(readTypedValue(value)).toBeUndefined()
  })
})

it('keeps booleans and dates as numbers', () => {
  expect(readTypedValue(true)?.number).toBe(1)
  expect(readDate('1970-01-01T00:00:01Z')).toBe(1000)
})
