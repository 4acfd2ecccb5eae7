import type { findingsEn } from '../en/findings.ts'

const apart = (text: string | undefined) => `\u2068${text ?? ''}\u2069`

export const findingsFa: typeof findingsEn = {
  'service-account': ({ clientEmail, projectId }) =>
    `این حساب سرویس ${apart(clientEmail)} از پروژهٔ Firebase به نام ${apart(projectId)} است.`,
  'apns-key': ({ keyId, teamId, bundleId }) =>
    `این کلید ${apart(keyId)} از تیم ${apart(teamId)} برای برنامهٔ ${apart(bundleId)} است.`,
  production: () =>
    'محیط، محیط نهایی (production) است: برنامه‌های App Store و TestFlight. به برنامه‌ای که از Xcode اجرا شود نمی‌رسد.',
  sandbox: () =>
    'محیط، محیط آزمایشی (sandbox) است: برنامه‌هایی که از Xcode اجرا می‌شوند. به برنامه‌های App Store و TestFlight نمی‌رسد.',
  'key-pair': ({ publicKey, subject }) =>
    `جفت کلید با هم جور است؛ کلید عمومی آن ${apart(publicKey)} است. سرویس‌های پوش با ${apart(subject)} شما را می‌یابند.`,
  'key-signs': () => 'کلید خصوصی امضا می‌کند.',
  'key-broken': () => 'کلید خصوصی امضا نمی‌کند: فایل خراب است. کلید جدیدی بسازید و همان را بگذارید.',
  'sms-http': ({ origin, method }) => `پیامک‌ها با ${apart(method)} به ${apart(origin)} می‌روند.`,
  'sms-twilio': ({ accountSid, from }) => `پیامک‌ها با حساب Twilio ${apart(accountSid)} و از ${apart(from)} می‌روند.`,
  'sms-limit': ({ limit }) => `در روز حداکثر ${Number(limit).toLocaleString('fa')} پیامک می‌رود.`,
  taken: (_, provider) => `${provider} آن‌ها را می‌پذیرد.`,
  'pair-signs': () => 'جفت کلید امضا می‌کند. از سرویس‌های پوش پرسیده نمی‌شود: آن‌ها کلید را با هر پوش می‌بینند.',
  'not-taken': (_, provider) => `${provider} آن‌ها را نمی‌پذیرد.`,
  unasked: (_, provider) => `از ${provider} نمی‌شد پرسید.`,
  paused: () => 'متوقف است. وقتی علت برطرف شد آن را ادامه دهید.',
}
