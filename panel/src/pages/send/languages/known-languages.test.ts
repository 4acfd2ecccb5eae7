import { expect, it } from 'vitest'
import { readLanguage, usualLanguages } from './known-languages.ts'

it('all that are offered are languages, in their usual form', () => {
  expect(usualLanguages.map(readLanguage)).toEqual(usualLanguages)
  expect(new Set(usualLanguages).size).toBe(usualLanguages.length)
})

it.each([
  ['fa_IR', 'fa-IR'],
  [' ZH-hant ', 'zh-Hant'],
  ['xx', undefined],
  ['persian', undefined],
  ['', undefined],
  ['fa-u-nu-latn', undefined],
])('%s is %s', (typed, language) => {
  expect(readLanguage(typed)).toBe(language)
})
