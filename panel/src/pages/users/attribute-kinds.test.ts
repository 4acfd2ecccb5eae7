import { expect, test } from 'vitest'
import { type AttributeKind, readTyped, showTyped } from './attribute-kinds.ts'

test.each<[AttributeKind, unknown]>([
  ['text', 'Sara'],
  ['number', 31],
  ['number', -0.5],
  ['boolean', true],
  ['boolean', false],
  ['date', '2026-03-01T09:30:00.000Z'],
  ['list', ['a', 'b']],
])('a %s %j is typed and read back as it was', (kind, value) => {
  expect(readTyped(kind, showTyped(kind, value))).toEqual(value)
})

test.each<[AttributeKind, string | string[]]>([
  ['text', ''],
  ['number', ''],
  ['number', 'many'],
  ['boolean', ''],
  ['date', 'soon'],
  ['list', []],
])('of a %s, %j is no value yet', (kind, typed) => {
  expect(readTyped(kind, typed)).toBeUndefined()
})
