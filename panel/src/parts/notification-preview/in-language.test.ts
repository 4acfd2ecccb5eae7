import { expect, it } from 'vitest'
import { inLanguage } from './in-language.ts'

const message = {
  content: 'Hello',
  notification: {
    title: 'Sale',
    dir: 'ltr',
    actions: [
      { id: 'a', title: 'Open' },
      { id: 'b', title: 'Later' },
    ],
  },
  contents: {
    fa: { content: 'سلام', notification: { title: 'حراج', actions: [{ id: 'b', title: 'بعداً' }] } },
    de: { notification: { mediaUrl: 'https://shop.example/de.png' } },
  },
}

it('a message is read in one of its languages, with the plain texts where that has none', () => {
  expect(inLanguage(message, undefined)).toBe(message)
  expect(inLanguage(message, 'tr')).toBe(message)
  expect(inLanguage(message, 'fa')).toMatchObject({
    content: 'سلام',
    notification: { title: 'حراج', dir: 'rtl', actions: [{ title: 'Open' }, { title: 'بعداً' }] },
  })
  expect(inLanguage(message, 'de')).toMatchObject({ content: 'Hello', notification: { title: 'Sale', dir: 'ltr' } })
})
