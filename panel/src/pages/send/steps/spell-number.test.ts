import { expect, it } from 'vitest'
import { spellNumber } from './spell-number.ts'

it.each([
  [0, 'zero', 'صفر'],
  [21, 'twenty-one', 'بیست و یک'],
  [110, 'one hundred and ten', 'صد و ده'],
  [5_321, 'five thousand three hundred and twenty-one', 'پنج هزار و سیصد و بیست و یک'],
  [1_000_000, 'one million', 'یک میلیون'],
  [2_000_014, 'two million fourteen', 'دو میلیون و چهارده'],
])('%i is "%s" and "%s"', (value, en, fa) => {
  expect(spellNumber(value, 'en')).toBe(en)
  expect(spellNumber(value, 'fa')).toBe(fa)
})
