import { expect, it } from 'vitest'
import { besideNotification } from './beside-notification.ts'

it('lists the SMS texts and the data of a message, of its languages, and of its variants', () => {
  const fallback = { content: 'Plain', delay: 60, media: 'sms', policy: 'NOT_RECEIVED' as const }
  const message = {
    fallback,
    data: { a: 1 },
    contents: { fa: { fallback: { content: 'FA' }, data: { a: 2 } }, de: { content: 'x' } },
    variants: [{ name: 'B', data: { a: 3 }, contents: { fa: { fallback: { content: 'B-FA' }, data: {} } } }],
  }
  expect(besideNotification(message)).toEqual({
    sms: [{ text: 'Plain' }, { language: 'fa', text: 'FA' }, { variant: 'B', language: 'fa', text: 'B-FA' }],
    data: [{ value: { a: 1 } }, { language: 'fa', value: { a: 2 } }, { variant: 'B', value: { a: 3 } }],
  })
  expect(besideNotification({})).toEqual({ sms: [], data: [] })
})
