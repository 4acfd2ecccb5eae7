import { expect, it } from 'vitest'
import { en } from '#texts/en.ts'
import { fa } from '#texts/fa.ts'
import { createFormat } from '#texts/format.ts'
import { sayFault, sayWhy } from './say-reason.ts'

const english = en.send.plan.reasons
const persian = fa.send.plan.reasons

it.each([
  [
    { path: 'ended', code: 'no-credentials', provider: 'apns' },
    'The app has no credentials for Apple (APNs)',
    'برنامه برای اپل (APNs) اعتبارنامه ندارد',
  ],
  [
    { path: 'inbox', code: 'no-token' },
    'The device has no push token; it waits in the app',
    'دستگاه توکن پوش ندارد؛ در برنامه می‌ماند',
  ],
  [{ path: 'ended', code: 'of tomorrow' }, 'The sentence', 'The sentence'],
  [{ path: 'ended', code: 'toString' }, 'The sentence', 'The sentence'],
])('%j is said in both languages', (outcome, saidEn, saidFa) => {
  const whole = { why: 'the sentence', count: 1, ...outcome } as never
  expect(sayWhy(whole, english)).toBe(saidEn)
  expect(sayWhy(whole, persian)).toBe(saidFa)
})

it.each([
  [{ code: 'nobody' }, { text: 'کسی آن را دریافت نمی‌کند.' }],
  [
    { code: 'unknown-variable', variable: 'user.frstName', suggestion: 'user.firstName' },
    {
      text: 'هیچ کاربری \u2066{{\u00a0user.frstName\u00a0}}\u2069 ندارد: جایش خالی می‌ماند. منظورتان \u2066{{\u00a0user.firstName\u00a0}}\u2069 بود؟',
    },
  ],
  [
    { code: 'not-sent', count: 1200, why: 'no-token' },
    { text: 'دستگاه توکن پوش ندارد: به ۱٬۲۰۰ دستگاه ارسال نمی‌شود.' },
  ],
  [
    { code: 'sms-paused', detail: 'The password was refused.' },
    { text: 'ارسال پیامک فعلاً متوقف است:', detail: 'The password was refused.' },
  ],
  [
    { code: 'not-sent', count: 2, why: 'of tomorrow' },
    { text: '', detail: 'The sentence.' },
  ],
  [{ code: 'of tomorrow' }, { text: '', detail: 'The sentence.' }],
  [undefined, { text: '', detail: 'The sentence.' }],
])('the fault %j is said in Persian', (fault, said) => {
  expect(sayFault(fault as never, 'The sentence.', persian, createFormat('fa'))).toEqual(said)
})
