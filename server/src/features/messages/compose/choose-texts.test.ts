import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allLanguages, chooseTexts, contentFor } from './choose-texts.ts'
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

describe('the texts of a variant', () => {
  const layered: MessageContent = {
    ...plain,
    contents: { fa: { content: 'پیام', notification: { title: 'عنوان' } } },
    variants: [
      { name: 'A', share: 50, content: 'A' },
      {
        name: 'B',
        share: 50,
        notification: { title: 'B' },
        contents: { fa: { content: 'ب' }, de: { content: 'B-de' } },
      },
      { name: 'C', share: 50 },
    ],
  }
  const read = (variant: string | undefined, language: string) => {
    const { content, notification } = contentFor(layered, chooseTexts(layered, language, variant))
    return [content, notification?.title, notification?.dir]
  }

  it.each([
    ['A', 'en', 'A', 'Sale', undefined],
    ['A', 'fa', 'A', 'عنوان', undefined],
    ['B', 'en', 'Hello', 'B', undefined],
    ['B', 'fa-IR', 'ب', 'B', 'rtl'],
    ['B', 'de', 'B-de', 'B', 'ltr'],
    ['C', 'fa', 'پیام', 'عنوان', 'rtl'],
    ['C', 'de', 'Hello', 'Sale', undefined],
    [undefined, 'fa', 'پیام', 'عنوان', 'rtl'],
  ])('of %s for who reads %s', (variant, language, ...expected) => {
    expect(read(variant, language)).toEqual(expected)
  })

  it('are in the language that fits best in each layer', () => {
    const nearer: MessageContent = {
      content: 'plain',
      alertText: 'plain',
      contents: { 'fa-IR': { alertText: 'fa-IR' } },
      variants: [{ name: 'A', share: 100, contents: { fa: { content: 'fa' } } }],
    }
    expect(chooseTexts(nearer, 'fa-IR', 'A').language).toBe('fa-IR')
    expect(contentFor(nearer, chooseTexts(nearer, 'fa-IR', 'A'))).toMatchObject({ content: 'fa', alertText: 'fa-IR' })
    expect(allLanguages(nearer)).toEqual(['fa-IR', 'fa'])
  })

  it('bring nothing of the test along', () => {
    const winner = { by: 'opened', after: '1h', testShare: 10, otherwise: 'A' }
    const test = { ...layered, control: 10, winner, goal: { event: 'Purchase', within: '12h' } }
    const content = contentFor(test, { language: undefined, variant: 'A' })
    for (const field of ['variants', 'contents', 'control', 'winner', 'goal']) expect(content).not.toHaveProperty(field)
  })

  it('come each from the first layer that has it', () => {
    const fields = ['content', 'alertText'] as const
    const texts = fc.record(
      { content: fc.string({ minLength: 1 }), alertText: fc.string({ minLength: 1 }) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(texts, texts, texts, texts, (own, message, variant, inLanguage) => {
        const content: MessageContent = {
          ...own,
          contents: { fa: message },
          variants: [{ name: 'A', share: 100, ...variant, contents: { fa: inLanguage } }],
        }
        const got = contentFor(content, { variant: 'A', language: 'fa' })
        for (const field of fields) {
          const first = [inLanguage, variant, message, own].find((layer) => layer[field] !== undefined)
          expect(got[field]).toBe(first?.[field])
        }
      }),
    )
  })
})
