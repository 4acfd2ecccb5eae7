import type { AnyNotification, Contents } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { draftMessage } from '../accept/draft-message.ts'

const now = () => new Date('2026-11-15T08:00:00Z')
const notification = { title: 'Sale', actions: [{ id: 'open', title: 'Open' }] }

function draft(contents: Contents, more: AnyNotification = {}) {
  return draftMessage(
    { content: 'Hello', notification, ...more, contents },
    { appId: 1, product: 'message', at: now(), clock: now },
  )
}

const many = Object.fromEntries(
  [
    'aa',
    'af',
    'am',
    'ar',
    'az',
    'be',
    'bg',
    'bn',
    'bs',
    'ca',
    'cs',
    'cy',
    'da',
    'de',
    'el',
    'en',
    'eo',
    'es',
    'et',
    'eu',
  ].map((tag) => [tag, { content: tag }]),
)

describe('the languages of a message', () => {
  it('are kept by their usual tags, with known fields only', () => {
    const { body } = draft({
      fa_IR: { content: 'سلام', notification: { title: 'حراج', text: 'همه', actions: [{ id: 'open', title: 'باز' }] } },
      iw: { alertText: 'שלום', data: { a: 1 } },
    })
    expect(body.contents).toEqual({
      'fa-IR': {
        content: 'سلام',
        notification: { title: 'حراج', body: 'همه', actions: [{ id: 'open', title: 'باز' }] },
      },
      he: { alertText: 'שלום', data: { a: 1 } },
    })
    expect(Object.keys(draft(many).body.contents ?? {})).toHaveLength(20)
  })

  it.each<[what: string, contents: Contents, more: AnyNotification, message: string, field: string]>([
    ['none', {}, {}, '"contents" is empty: expected at least one language.', 'contents'],
    [
      'one that is unknown',
      { xx: { content: 'x' } },
      {},
      '"contents.xx": expected a language such as "fa", "fa-IR" or "zh-Hant", got "xx".',
      'contents.xx',
    ],
    [
      'the name of the plain texts',
      { default: { content: 'x' } },
      {},
      '"contents.default": expected a language such as "fa", "fa-IR" or "zh-Hant", got "default".',
      'contents.default',
    ],
    [
      'one twice',
      { 'fa-IR': { content: 'x' }, fa_IR: { content: 'y' } },
      {},
      '"contents.fa_IR" is the same language as "contents.fa-IR".',
      'contents.fa_IR',
    ],
    [
      'what does not differ by language',
      { fa: { content: 'x', ttl: 5 } as never },
      {},
      '"contents.fa.ttl" cannot differ by language.',
      'contents.fa.ttl',
    ],
    [
      'what does not differ by language, in a button',
      { fa: { notification: { title: 'x', actions: [{ title: 'y', options: 1 } as never] } } },
      {},
      '"contents.fa.notification.actions[0].options" cannot differ by language.',
      'contents.fa.notification.actions[0].options',
    ],
    ['one without a text', { fa: {} }, {}, '"contents.fa" has no text.', 'contents.fa'],
    ['an empty notification', { fa: { notification: {} } }, {}, '"contents.fa" has no text.', 'contents.fa'],
    [
      'an SMS that the message has not',
      { fa: { fallback: { content: 'x' } } },
      {},
      '"contents.fa.fallback": the message itself has no "fallback", which is what others get.',
      'contents.fa.fallback',
    ],
    [
      'a button that the message has not',
      { fa: { notification: { actions: [{ id: 'close', title: 'x' }] } } },
      {},
      '"contents.fa.notification.actions[0]": the message itself has no action with the id "close", which is what others get.',
      'contents.fa.notification.actions[0]',
    ],
    [
      'more buttons than the message',
      { fa: { notification: { actions: [{ title: 'x' }, { title: 'y' }] } } },
      {},
      '"contents.fa.notification.actions[1]": the message itself has no action in this place, which is what others get.',
      'contents.fa.notification.actions[1]',
    ],
    [
      'a link that would run something',
      { fa: { notification: { clickUrl: 'javascript:1' } } },
      {},
      '"contents.fa.notification.clickUrl": expected an http, https or app link, got a javascript: link.',
      'contents.fa.notification.clickUrl',
    ],
    [
      'a template that is none',
      { fa: { notification: { body: 'سلام {{ user.' } } },
      {},
      '"contents.fa.notification.body" is not a Liquid template: "{{ user." is not closed; write }} where it ends.',
      'contents.fa.notification.body',
    ],
    [
      'an SMS with a template that is none',
      { fa: { fallback: { content: '{% if %}' } } },
      { fallback: { content: 'sms' } },
      expect.stringContaining('"contents.fa.fallback.content" is not a Liquid template'),
      'contents.fa.fallback.content',
    ],
  ])('are refused: %s', (_, contents, more, message, field) => {
    expect(() => draft(contents, more)).toThrow(
      expect.objectContaining({ message, status: 400, details: expect.objectContaining({ field }) }),
    )
  })

  it('need a notification of the message, and a text for everybody else', () => {
    const title = { fa: { notification: { title: 'x' } } }
    const acceptance = { appId: 1, product: 'message' as const, at: now(), clock: now }
    expect(() => draftMessage({ content: 'x', contents: title }, acceptance)).toThrow(
      '"contents.fa.notification": the message itself has no "notification", which is what others get.',
    )
    expect(() => draftMessage({ contents: { fa: { content: 'x' } } }, acceptance)).toThrow(
      '"content" is required: it is for those who have none of the languages of "contents".',
    )
  })

  it('are 20 at most', () => {
    expect(() => draft({ ...many, fa: { content: 'x' } })).toThrow(
      expect.objectContaining({ code: 'too-large', message: '"contents" has 21 languages; at most 20 are allowed.' }),
    )
  })

  it('may have so many characters of templates together', () => {
    const long = `${'x'.repeat(12_000)}{{ user.name }}`
    expect(() => draft({ fa: { content: long }, en: { content: long } })).toThrow(
      expect.objectContaining({
        code: 'invalid-template',
        details: expect.objectContaining({ field: 'contents.en.content' }),
      }),
    )
  })
})
