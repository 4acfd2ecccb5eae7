import { expect, test } from 'vitest'
import type { AttributeOperation } from './attribute-operation.ts'
import { isProtected, setterAfter } from './protect-attributes.ts'

test.each([
  [{ name: 'phone', value: '+98912', isUnverified: false }, true],
  [{ name: 'phone', value: '+98912', isUnverified: true }, false],
  [{ name: 'phone', value: undefined, isUnverified: false }, false],
  [{ name: 'city', value: 'Tehran', isUnverified: false }, false],
])('whether %j is not a stranger’s to change: %s', (attribute, expected) => {
  expect(isProtected(attribute)).toBe(expected)
})

const name = 'score'
const set: AttributeOperation = { kind: 'set', name, value: 1 }
const increment: AttributeOperation = { kind: 'increment', name, by: 0 }
const add: AttributeOperation = { kind: 'addToArray', name, values: [] }
const remove: AttributeOperation = { kind: 'removeFromArray', name, values: [] }
const unset: AttributeOperation = { kind: 'unset', name }
const ofBackEnd = { value: 5, isUnverified: false }
const ofAnybody = { value: 5, isUnverified: true }
const none = { value: undefined, isUnverified: false }

test.each([
  [ofBackEnd, set, true, true],
  [ofBackEnd, increment, true, false],
  [ofBackEnd, add, true, false],
  [ofBackEnd, remove, true, false],
  [ofAnybody, set, false, false],
  [ofAnybody, increment, true, true],
  [ofAnybody, increment, false, true],
  [none, increment, true, true],
  [none, add, false, false],
  [ofAnybody, unset, true, false],
] as const)(
  'of %j, after %j by somebody unverified: %s, the value may be anybody’s: %s',
  (before, operation, by, expected) => {
    expect(setterAfter(before, operation, by)).toBe(expected)
  },
)
