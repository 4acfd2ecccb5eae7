import { expect, it } from 'vitest'
import { emptyDraft } from '../draft/draft.ts'
import { countCharacters, measureShown, shownPartOf } from './shown-length.ts'

it.each([
  ['Hello', 5],
  ['سلام', 4],
  ['👨‍👩‍👧 ❤️', 3],
  ['نِ', 1],
])('%s has %s characters', (text, count) => {
  expect(countCharacters(text)).toBe(count)
})

it('says nothing of a short text, then how much room the least platform has', () => {
  expect(measureShown('x'.repeat(31), 'title')).toBeUndefined()
  expect(measureShown('x'.repeat(32), 'title')).toEqual({
    count: 32,
    isCut: false,
    collapsed: [{ platform: 'ios', about: 40 }],
    expanded: [],
  })
})

it('names the platforms that cut it, and those that cut it even when it is open', () => {
  const android = { platform: 'android', about: 49 }
  const web = { platform: 'web', about: 120 }
  expect(measureShown('x'.repeat(130), 'body')).toEqual({
    count: 130,
    isCut: true,
    collapsed: [android, web],
    expanded: [],
  })
  expect(measureShown('x'.repeat(451), 'body')).toMatchObject({
    collapsed: [android, { platform: 'ios', about: 178 }, web],
    expanded: [{ platform: 'android', about: 450 }],
  })
})

it('measures the text that is shown, and none where none is', () => {
  const draft = { ...emptyDraft, content: 'Hello' }
  const titled = { ...draft, notification: { ...draft.notification, body: 'Hi' } }
  const silent = { ...draft, flags: { ...draft.flags, silent: true } }
  expect(shownPartOf('notification.title', draft, undefined)).toBe('title')
  expect(shownPartOf('content', draft, undefined)).toBe('body')
  expect(shownPartOf('content', draft, 'News of the shop')).toBeUndefined()
  expect(shownPartOf('content', titled, undefined)).toBeUndefined()
  expect(shownPartOf('notification.body', titled, undefined)).toBe('body')
  expect(shownPartOf('alertText', { ...draft, alertText: 'Psst' }, undefined)).toBe('body')
  expect(shownPartOf('content', silent, undefined)).toBeUndefined()
})
