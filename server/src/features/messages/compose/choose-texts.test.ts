import { describe, expect, it } from 'vitest'
import { chooseTexts, contentFor } from './choose-texts.ts'
import type { LanguageContent } from './compose-contents.ts'
import type { MessageContent } from './compose-message.ts'

const plain: MessageContent = {
  content: 'Hello',
  data: { page: 'sale', text: 'Sale' },
  silent: true,
  notification: {
    title: 'Sale',
    body: 'Everything',
    sound: 'bell',
    mediaUrl: 'https://shop.example/en.png',
    actions: [
      { id: 'open', title: 'Open', url: 'shop://sale', options: 4 },
      { id: 'later', title: 'Later' },
      { title: 'Never' },
    ],
  },
  fallback: { content: 'Sale!', delay: 60, media: 'sms', policy: 'NOT_RECEIVED' },
}
const rtl = { dir: 'rtl' }

/** What somebody whose language is `fa-IR` gets, when the message says this in Persian. */
const cases: [name: string, persian: LanguageContent, expected: (notification: object) => object][] = [
  ['nothing but a text', { content: 'سلام' }, (own) => ({ content: 'سلام', notification: { ...own, ...rtl } })],
  ['a title', { notification: { title: 'حراج' } }, (own) => ({ notification: { ...own, title: 'حراج', ...rtl } })],
  [
    'a picture, which has no direction',
    { notification: { mediaUrl: 'https://shop.example/fa.png' } },
    (own) => ({ notification: { ...own, mediaUrl: 'https://shop.example/fa.png' } }),
  ],
  [
    'a direction of its own',
    { content: 'سلام', notification: { dir: 'auto' } },
    (own) => ({ content: 'سلام', notification: { ...own, dir: 'auto' } }),
  ],
  [
    'buttons by their ids',
    { notification: { actions: [{ id: 'later', title: 'بعداً' }] } },
    (own) => ({ notification: { ...own, actions: buttons('Open', 'بعداً', 'Never') } }),
  ],
  [
    'buttons by their places',
    { notification: { actions: [{ title: 'باز کن' }, { title: 'بعداً' }, { title: 'هرگز' }] } },
    (own) => ({ notification: { ...own, actions: buttons('باز کن', 'بعداً', 'هرگز') } }),
  ],
  [
    'buttons by both',
    { notification: { actions: [{ id: 'later', title: 'بعداً' }, { title: 'دوم' }, { title: 'هرگز' }] } },
    (own) => ({ notification: { ...own, actions: buttons('Open', 'بعداً', 'هرگز') } }),
  ],
  ['a part of the data', { data: { text: 'حراج' } }, () => ({ data: { page: 'sale', text: 'حراج' } })],
  [
    'an SMS',
    { fallback: { content: 'حراج!' } },
    () => ({ fallback: { content: 'حراج!', delay: 60, media: 'sms', policy: 'NOT_RECEIVED' } }),
  ],
]

function buttons(open: string, later: string, never: string) {
  return [{ id: 'open', title: open, url: 'shop://sale', options: 4 }, { id: 'later', title: later }, { title: never }]
}

describe('the texts that somebody gets', () => {
  it.each(cases)('are the plain ones with those of the language over them: %s', (_, persian, expected) => {
    const message = { ...plain, contents: { fa: persian, en: { content: 'Hi' } } }
    const before = structuredClone(message)
    const own = contentFor(message, chooseTexts(message, 'fa-IR'))
    expect(own).toEqual({ ...plain, ...expected(plain.notification as object) })
    expect(message).toEqual(before)
  })

  it.each([
    ['de', undefined],
    [null, undefined],
    ['fa-IR', 'fa'],
    ['en-US', 'en-US'],
    ['en-GB', 'en'],
  ])('are chosen by the language of the installation: %s', (written, language) => {
    const message = {
      content: 'x',
      contents: { fa: { content: 'fa' }, en: { content: 'en' }, 'en-US': { content: 'us' } },
    }
    expect(chooseTexts(message, written)).toEqual({ language })
    const { content } = contentFor(message, { language })
    expect(content).toBe(language === undefined ? 'x' : language === 'en-US' ? 'us' : language)
  })

  it('have the direction of their language, also where the plain ones have another', () => {
    const notification = { title: 'حراج', dir: 'rtl' }
    const message = {
      content: 'سلام',
      notification,
      contents: { en: { content: 'Hi', notification: { title: 'Sale' } } },
    }
    expect(contentFor(message, { language: 'en' }).notification).toEqual({ title: 'Sale', dir: 'ltr' })
    expect(contentFor(message, { language: undefined }).notification).toEqual(notification)
  })

  it('have a direction also where a notification is drawn from the message alone', () => {
    const message = { content: 'Hi', contents: { fa: { content: 'سلام' } } }
    expect(contentFor(message, { language: 'fa' })).toEqual({ content: 'سلام', notification: { dir: 'rtl' } })
    expect(contentFor(message, { language: undefined })).toEqual({ content: 'Hi' })
  })

  it('are the message itself where it has no languages', () => {
    expect(contentFor(plain, chooseTexts(plain, 'fa'))).toEqual(plain)
  })
})
