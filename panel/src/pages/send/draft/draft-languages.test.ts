import type { ComposedMessage, Contents } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { composeMessage } from './compose.ts'
import { type Draft, emptyAction, emptyDraft } from './draft.ts'
import { composeContents, countMissing, draftIn, languagesOf, withoutAction } from './draft-languages.ts'
import { emptyTexts } from './draft-texts.ts'

const draft: Draft = {
  ...emptyDraft,
  content: 'Hello',
  notification: {
    ...emptyDraft.notification,
    title: 'Sale',
    actions: [
      { ...emptyAction, title: 'Open' },
      { ...emptyAction, title: 'Later' },
    ],
  },
  languages: { fa: { ...emptyTexts, content: 'سلام', title: 'حراج', actions: ['', 'بعداً'] }, de: emptyTexts },
}

describe('the languages of a draft', () => {
  it('are sent with what they say, and nothing where they say nothing', () => {
    expect(composeMessage(draft, 'Shop').message.contents).toEqual({
      fa: { content: 'سلام', notification: { title: 'حراج', actions: [{ id: 'action-2', title: 'بعداً' }] } },
    })
    expect(composeMessage({ ...draft, languages: {} }, 'Shop').message).not.toHaveProperty('contents')
    expect(composeMessage({ ...draft, product: 'notification' }, 'Shop').message.contents?.fa).not.toHaveProperty(
      'content',
    )
  })

  it('bring a notification along that the message itself does without', () => {
    const plain = { ...draft, notification: emptyDraft.notification }
    expect(composeMessage(plain, 'Shop').message).toMatchObject({
      notification: { title: 'Shop' },
      contents: { fa: { notification: { title: 'حراج' } } },
    })
  })

  it('come back from a message with all that they had, also what has no field', () => {
    const contents: Contents = {
      fa: {
        content: 'سلام',
        data: { page: 'fa' },
        notification: {
          ...{ title: 'حراج', body: 'همه', sound: 'fa.mp3', dir: 'rtl' },
          actions: [{ id: 'later', title: 'بعداً', url: 'shop://fa' }],
        },
        fallback: { content: 'پیامک' },
      },
    }
    const message: ComposedMessage = {
      product: 'message',
      content: 'Hello',
      notification: {
        title: 'Sale',
        actions: [
          { id: 'open', title: 'Open' },
          { id: 'later', title: 'Later' },
        ],
      },
      fallback: { content: 'SMS' },
    }
    const typed = languagesOf(contents, message.notification?.actions)
    expect(typed.fa).toMatchObject({ content: 'سلام', title: 'حراج', body: 'همه', actions: ['', 'بعداً'], sms: 'پیامک' })
    expect(composeContents(typed, message)).toEqual(contents)
  })

  it('are read with the texts of the message where they have none, in their own direction', () => {
    const read = draftIn(draft, 'fa')
    expect(read).toMatchObject({ content: 'سلام', notification: { title: 'حراج', dir: 'rtl' } })
    expect(read.notification.actions.map(({ title }) => title)).toEqual(['Open', 'بعداً'])
    expect(draftIn(draft, 'de').notification).toEqual(draft.notification)
    expect(draftIn(draft, undefined)).toBe(draft)
  })

  it('lose the label of a button that is removed', () => {
    expect(withoutAction(draft.languages, 0).fa?.actions).toEqual(['بعداً'])
  })

  it('say how much of them is missing', () => {
    expect(countMissing(draft, 'fa')).toEqual({ all: 4, missing: 1 })
    expect(countMissing(draft, 'de')).toEqual({ all: 4, missing: 4 })
  })
})
