import { expect, it } from 'vitest'
import { sayReason, sayWarning } from './send-reasons.ts'

it.each([
  ['its token is one of fcm', 'توکن دستگاه از گوگل (FCM) است'],
  ['the installation has no push token; it waits in the inbox', 'دستگاه توکن پوش ندارد؛ در برنامه می‌ماند'],
  ['it is silent: no notification, it waits in the inbox', 'بی‌صداست و اعلانی ندارد؛ در برنامه می‌ماند'],
  ['something new', 'something new'],
])('%s is said in Persian', (sent, said) => {
  expect(sayReason(sent)).toBe(said)
})

it('says what the dry run warns of in Persian', () => {
  expect(sayWarning('Not sent to 1 installation: the app has no credentials for apns.')).toBe(
    'به 1 دستگاه فرستاده نمی‌شود: برنامه برای اپل (APNs) اعتبارنامه ندارد.',
  )
  expect(sayWarning('Nobody receives it.')).toBe('کسی آن را دریافت نمی‌کند.')
})
