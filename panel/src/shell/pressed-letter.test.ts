import { expect, it } from 'vitest'
import { pressedLetter } from './pressed-letter.ts'

it.each([
  ['g', 'KeyG', 'g'],
  ['G', 'KeyG', 'g'],
  ['ل', 'KeyG', 'g'],
  ['س', 'KeyS', 's'],
  // Where the letters are in another order, the letter counts and not its place.
  ['g', 'KeyU', 'g'],
  ['/', 'Slash', undefined],
  ['Enter', 'Enter', undefined],
])('%s on %s is %s', (key, code, letter) => expect(pressedLetter({ key, code })).toBe(letter))
