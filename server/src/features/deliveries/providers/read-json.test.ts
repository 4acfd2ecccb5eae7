import { expect, it } from 'vitest'
import { shorten } from './read-json.ts'

it.each([
  ['one\n  line', 'one line'],
  ['a\0b\u0007c', 'a b c'],
  [42, ''],
  ['x'.repeat(300), `${'x'.repeat(199)}…`],
])('%j is shown as %j', (text, shown) => {
  expect(shorten(text)).toBe(shown)
})

it('a character that is cut in its middle leaves no half of it', () => {
  for (const before of [197, 198, 199]) {
    expect(shorten(`${'x'.repeat(before)}${'😀'.repeat(50)}`).isWellFormed()).toBe(true)
  }
})
