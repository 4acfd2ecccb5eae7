import { expect, test } from 'vitest'
import { readTypedValue } from '../../installations/attributes/value-kind.ts'
import { kindOfValue } from './event-values.ts'

test.each([
  ['text', 'text'],
  ['', 'text'],
  ['2026-11-15', 'text'],
  ['2026-11-15T10:00Z', 'date'],
  ['2026-11-15T10:00:00.123+03:30', 'date'],
  ['Sun, 15 Nov 2026 10:00:00 GMT', 'date'],
  ['2026-11-15T25:00:00Z', 'text'],
  ['abcdefghijTklmnopqrstuv', 'text'],
  [0, 'number'],
  [-1.5, 'number'],
  [true, 'boolean'],
  [[], 'list'],
  [['a', 'b'], 'list'],
  [['a', 1], undefined],
  [[1, 2], undefined],
  [{}, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [null, undefined],
  [undefined, undefined],
])('%j is of the kind %s, as it is for attributes', (value, kind) => {
  expect(kindOfValue(value)).toBe(kind)
  expect(readTypedValue(value)?.kind).toBe(kind)
})
