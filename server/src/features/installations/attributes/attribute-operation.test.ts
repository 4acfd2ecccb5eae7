import { describe, expect, it } from 'vitest'
import { readAttributeChanges, readAttributes, readIncrements } from './attribute-operation.ts'

describe('attributes of a body', () => {
  it('are values, and null removes', () => {
    expect(readAttributes({ a: 1, b: 'x', c: true, d: ['p'], e: null, f: '2026-03-01T09:30:00Z' })).toEqual([
      { kind: 'set', name: 'a', value: 1 },
      { kind: 'set', name: 'b', value: 'x' },
      { kind: 'set', name: 'c', value: true },
      { kind: 'set', name: 'd', value: ['p'] },
      { kind: 'unset', name: 'e' },
      { kind: 'set', name: 'f', value: '2026-03-01T09:30:00Z' },
    ])
  })

  it.each([
    [{ address: { city: 'Tehran' } }, 'attributes.address'],
    [{ mixed: ['a', 1] }, 'attributes.mixed'],
    [{ nested: [['a']] }, 'attributes.nested'],
    [{ long: ['x'.repeat(1_001)] }, 'attributes.long'],
    [{ many: Array.from({ length: 1_001 }, () => 'x') }, 'attributes.many'],
    [{ '': 1 }, ''],
    [{ ['é'.repeat(128)]: 1 }, 'é'.repeat(80)],
  ])('are refused with the name of the field: %#', (attributes, field) => {
    expect(() => readAttributes(attributes)).toThrow(
      expect.objectContaining({ code: 'invalid-request', details: { field } }),
    )
  })

  it('are at most a thousand', () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`a${index}`, 1]))
    expect(() => readAttributes(many)).toThrow(expect.objectContaining({ code: 'too-large' }))
  })
})

describe('attribute operations of the client library', () => {
  it('set, unset, add to and remove from arrays, and know dates', () => {
    const keys = {
      born: { type: 'date' },
      gone: { operation: 'unset' },
      sizes: { type: 'array', operation: 'addToArray', value: ['xl'] },
      colours: { type: 'array', operation: 'removeFromArray', value: ['red', 'blue'] },
    }
    expect(readAttributeChanges({ name: 'Ali', born: 0, gone: 'x', nothing: null }, { keys })).toEqual([
      { kind: 'set', name: 'name', value: 'Ali' },
      { kind: 'set', name: 'born', value: '1970-01-01T00:00:00.000Z' },
      { kind: 'unset', name: 'gone' },
      { kind: 'unset', name: 'nothing' },
      { kind: 'addToArray', name: 'sizes', values: ['xl'] },
      { kind: 'removeFromArray', name: 'colours', values: ['red', 'blue'] },
    ])
  })

  it.each([
    [undefined, undefined],
    [null, null],
    [[], []],
    [{}, { keys: [] }],
    [{}, { keys: { a: { type: 'date' } } }],
  ])('may be empty: %j %j', (data, meta) => {
    expect(readAttributeChanges(data, meta)).toEqual([])
  })

  it.each([
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00Z'],
  ])('take the date %s', (born, value) => {
    expect(readAttributeChanges({ born }, { keys: { born: { type: 'date' } } })).toEqual([
      { kind: 'set', name: 'born', value },
    ])
  })

  it.each([
    ['text', undefined, 'data'],
    [{ a: {} }, undefined, 'data.a'],
    [{ a: 'soon' }, { keys: { a: { type: 'date' } } }, 'data.a'],
    [{ a: true }, { keys: { a: { type: 'date' } } }, 'data.a'],
    [{ a: { toString: null } }, { keys: { a: { type: 'date' } } }, 'data.a'],
    [{ a: 1e300 }, { keys: { a: { type: 'date' } } }, 'data.a'],
    [{}, 'x', '__meta'],
    [{}, { keys: 'x' }, '__meta.keys'],
    [{}, { keys: { a: 7 } }, '__meta.keys.a'],
    [{}, { keys: { a: { operation: 'explode' } } }, '__meta.keys.a.operation'],
    [{}, { keys: { a: { operation: 'addToArray' } } }, '__meta.keys.a.value'],
    [{}, { keys: { a: { operation: 'addToArray', value: [1] } } }, '__meta.keys.a.value'],
  ])('are refused with the name of the field: %j %j', (data, meta, field) => {
    expect(() => readAttributeChanges(data, meta)).toThrow(
      expect.objectContaining({ code: 'invalid-request', details: { field } }),
    )
  })
})

it('increments by one unless told otherwise', () => {
  expect(readIncrements([{ attribute: 'a' }, { attribute: 'b', value: -2.5 }])).toEqual([
    { kind: 'increment', name: 'a', by: 1 },
    { kind: 'increment', name: 'b', by: -2.5 },
  ])
})
