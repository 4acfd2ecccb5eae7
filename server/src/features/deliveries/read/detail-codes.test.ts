import { expect, test } from 'vitest'
import { findDetailCode } from './detail-codes.ts'

test.each([
  ['the installation has no push token', { code: 'no-token' }],
  ['the installation has no push token; it waits in the inbox', { code: 'no-token' }],
  ['the app has no credentials for webpush', { code: 'no-credentials', provider: 'webpush' }],
  ['it is connected; apns follows if it does not acknowledge', { code: 'connected-first', provider: 'apns' }],
  ['it is for the open app, it waits in the inbox', { code: 'in-app' }],
  ['a live message goes to installations with the app open only', { code: 'live-closed' }],
  ['another user is logged in by now', { code: 'other-user' }],
])('"%s" is known to be our own', (detail, said) => {
  expect(findDetailCode(detail)).toEqual(said)
})

test('what a provider says is not', () => {
  expect(findDetailCode('404 UNREGISTERED')).toBeUndefined()
  expect(findDetailCode(null)).toBeUndefined()
})
