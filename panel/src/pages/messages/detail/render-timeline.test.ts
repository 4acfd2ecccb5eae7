import type { TimelineFact } from '@peyk/contract'
import { expect, test } from 'vitest'
import { en } from '#texts/en.ts'
import { fa } from '#texts/fa.ts'
import { createFormat, type Format } from '#texts/format.ts'
import { renderFact } from './render-timeline.ts'

const buttons = new Map([['action-1', 'Track it']])
const inPersian = (fact: TimelineFact) => renderFact(fact, fa, createFormat('fa'), buttons)
const inEnglish = (fact: TimelineFact) => renderFact(fact, en, createFormat('en'), buttons)

test('a provider is quoted in its own words, after a sentence in the language of the page', () => {
  const refused = { code: 'attempt', provider: 'fcm', outcome: 'refused', detail: '400 INVALID_ARGUMENT' } as const
  expect(inPersian(refused)).toEqual({ text: 'FCM آن را نپذیرفت.', quote: '400 INVALID_ARGUMENT' })
  expect(inEnglish(refused)).toEqual({ text: 'FCM refused it.', quote: '400 INVALID_ARGUMENT' })
})

test('a provider that was not reached has said nothing: why it was not is told in the language of the page', () => {
  const detail = 'no access token from Google: the host name is not known'
  const away = { code: 'attempt', provider: 'fcm', outcome: 'later', fault: 'name-not-found', detail } as const
  expect(inEnglish(away)).toEqual({ text: 'FCM could not be reached: its name could not be resolved.' })
  expect(inPersian(away)).toEqual({ text: 'اتصال به FCM برقرار نشد: نام دامنه‌اش پیدا نشد (خطای DNS).' })
})

test('what the service says itself is said in the language of the page, and not quoted', () => {
  const detail = 'the app has no credentials for apns'
  const ended = { code: 'ended', reason: 'no-provider', because: 'no-credentials', provider: 'apns', detail } as const
  expect(inPersian(ended)?.text).toMatch(/^این دستگاه مسیر تحویل ندارد\. .*APNs/)
  expect(inPersian(ended)).not.toHaveProperty('quote')
})

test('a reason is said once', () => {
  const detail = 'notifications are not allowed on the device'
  const ended = { code: 'ended', reason: 'opted-out', because: 'notifications-off', detail } as const
  expect(inEnglish(ended)).toEqual({ text: 'Notifications are not allowed on the device.' })
  expect(inPersian(ended)).toEqual({ text: fa.messages.tell.ends['opted-out'] })
})

test('a pressed button is told by what stands on it, or by its id where that is not known', () => {
  const pressed = (actionId: string) => inEnglish({ code: 'receipt', receipt: 'acted', actionId })?.text
  expect(pressed('action-1')).toBe('The button “Track it” was pressed.')
  expect(pressed('later')).toBe('The button “later” was pressed.')
})

test('an unknown user is told from one without devices', () => {
  expect(inEnglish({ code: 'unknown-user', user: 'sarra' })?.text).toContain('No user has the id “sarra”.')
  expect(inEnglish({ code: 'no-installations', user: 'sara' })?.text).toBe('This user has no devices.')
})

test('a rule that does not match is told as in the segment builder, with what the device has', () => {
  const fact = (name: string, operator: string, value: unknown, own: string | null): TimelineFact => {
    const sent = { name, operator, value }
    return { code: 'rule-fails', rule: `${name} ${operator}`, sent, values: { [name]: own } }
  }
  const known = { aggregates: [], operators: {}, attributes: [], tagKeys: [], events: [] }
  const fields = {
    ...known,
    fields: [
      { name: 'tags', kind: 'tags' },
      { name: 'deviceType', kind: 'text' },
    ],
  }
  const wordsIn = (texts: typeof en, format: Format) => ({
    ...{ texts: texts.segments, platforms: texts.common.platforms },
    ...{ format, fields },
  })
  const say = (told: TimelineFact, texts: typeof en, format: Format) =>
    renderFact(told, texts, format, buttons, wordsIn(texts, format))?.text
  const ios = fact('deviceType', 'equal_to', 'android', '"ios"')
  expect(say(ios, en, createFormat('en'))).toBe('It does not match a rule: Android devices. Here, platform is iOS.')
  expect(say(fact('tags', 'include', ['vip'], '[]'), en, createFormat('en'))).toBe(
    'It does not match a rule: Devices whose user has the tag “vip”. Here, tag is not set.',
  )
  expect(say(ios, fa, createFormat('fa'))).toContain('دستگاه‌های اندروید')
  expect(inEnglish(ios)?.text).toBe('It does not match a rule: deviceType equal_to. Here, deviceType is "ios".')
})

test('what is not known here is left to the text of the service', () => {
  expect(inPersian({ code: 'from-a-newer-service' } as unknown as TimelineFact)).toBeUndefined()
})
