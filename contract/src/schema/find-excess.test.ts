import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { checker } from './check.ts'

/** Counts how many of its elements anything reads. */
function countedList(length: number): { list: unknown[]; reads: () => number } {
  let reads = 0
  const list = new Proxy(Array(length).fill({}), {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(target, key)
    },
  })
  return { list, reads: () => reads }
}

describe('a list or a map that is too long', () => {
  it.each([
    [
      'a limit of its own',
      Type.Array(Type.String(), { maxItems: 5, tooMany: 'tags' }),
      '"list" has 100000 tags; at most 5 are allowed.',
    ],
    ['none', Type.Array(Type.String()), '"list" has 100000 elements; at most 10000 are allowed.'],
    [
      'a choice',
      Type.Union([Type.Null(), Type.Array(Type.String())]),
      '"list" has 100000 elements; at most 10000 are allowed.',
    ],
  ])('is refused before any of its elements is read: %s', (_limit, list, message) => {
    const check = checker(Type.Object({ list }))
    const counted = countedList(100_000)
    expect(check({ list: counted.list })).toEqual({ fault: { field: 'list', message, isTooLarge: true } })
    expect(counted.reads()).toBe(0)
    const text = JSON.stringify(counted.list)
    expect(check({ list: text })).toEqual({ fault: { field: 'list', message, isTooLarge: true } })
  })

  it('is a fault of its shape where its schema does not say otherwise', () => {
    const check = checker(
      Type.Object({ list: Type.Array(Type.String(), { maxItems: 2, expected: 'at most 2 texts' }) }),
    )
    expect(check({ list: ['a', 'b'] })).toEqual({ value: { list: ['a', 'b'] } })
    const message = '"list": expected at most 2 texts, got 3 elements.'
    expect(check({ list: [{}, {}, {}] })).toEqual({ fault: { field: 'list', message, isTooLarge: false } })
  })

  it('is a fault of its shape where the list must be empty', () => {
    const check = checker(
      Type.Object({
        data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown(), { maxItems: 0 })], {
          expected: 'an object',
        }),
      }),
    )
    const counted = countedList(100_000)
    const message = '"data": expected an object, got 100000 elements.'
    expect(check({ data: counted.list })).toEqual({ fault: { field: 'data', message, isTooLarge: false } })
    expect(counted.reads()).toBe(0)
    expect(check({ data: [1] })).toMatchObject({ fault: { message: '"data": expected an object, got [1].' } })
    expect(check({ data: [] })).toMatchObject({ value: {} })
  })

  it('is found within a map', () => {
    const check = checker(Type.Record(Type.String(), Type.Object({ list: Type.Array(Type.String()) })))
    const counted = countedList(100_000)
    const message = '"fa.list" has 100000 elements; at most 10000 are allowed.'
    expect(check({ en: { list: [] }, fa: { list: counted.list } })).toMatchObject({ fault: { message } })
    expect(counted.reads()).toBe(0)
  })

  it('is found at any depth', () => {
    const inner = Type.Object({ list: Type.Array(Type.Integer(), { maxItems: 2, tooMany: 'numbers' }) })
    const check = checker(Type.Object({ all: Type.Array(inner) }))
    const message = '"all[1].list" has 3 numbers; at most 2 are allowed.'
    expect(check({ all: [{ list: [1, 2] }, { list: [1, 2, 3] }] })).toMatchObject({ fault: { message } })
  })

  it('counts the names of a map, and of an object with a limit', () => {
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1]))
    const map = checker(Type.Record(Type.String(), Type.Number()))
    expect(map(names(10_000))).toMatchObject({ value: {} })
    expect(map(names(10_001))).toMatchObject({ fault: { field: '', isTooLarge: true } })
    const object = checker(Type.Object({ n0: Type.Number() }, { maxProperties: 3, tooMany: 'fields' }))
    expect(object(names(3))).toEqual({ value: names(3) })
    expect(object(names(4))).toMatchObject({ fault: { message: 'The body has 4 fields; at most 3 are allowed.' } })
  })

  it('does not limit lists and maps whose elements are not checked', () => {
    const list = Array(20_000).fill(1)
    expect(checker(Type.Array(Type.Unknown()))(list)).toEqual({ value: list })
    const map = Object.fromEntries(list.map((value, index) => [`n${index}`, value]))
    expect(checker(Type.Record(Type.String(), Type.Unknown()))(map)).toEqual({ value: map })
  })
})
