import { expect, it } from 'vitest'
import { countSmsParts } from './sms-parts.ts'

it.each([
  ['', { characters: 0, parts: 0, left: 160, isWide: false }],
  ['Your code is 5521', { characters: 17, parts: 1, left: 143, isWide: false }],
  ['€', { characters: 2, parts: 1, left: 158, isWide: false }],
  ['x'.repeat(160), { characters: 160, parts: 1, left: 0, isWide: false }],
  ['x'.repeat(161), { characters: 161, parts: 2, left: 145, isWide: false }],
  ['سلام', { characters: 4, parts: 1, left: 66, isWide: true }],
  ['س'.repeat(71), { characters: 71, parts: 2, left: 63, isWide: true }],
  ['🙂', { characters: 2, parts: 1, left: 68, isWide: true }],
])('%j takes %j', (text, size) => {
  expect(countSmsParts(text)).toEqual(size)
})
