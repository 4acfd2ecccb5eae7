import type { findingsEn } from '../en/findings.ts'

const apart = (text: string | undefined) => `\u2068${text ?? ''}\u2069`

export const findingsFa: typeof findingsEn = {
  'service-account': ({ clientEmail, projectId }) =>
    `این حساب سرویس ${apart(clientEmail)} از پروژهٔ Firebase به نام ${apart(projectId)} است.`,
  'apns-key': ({ keyId, teamId, bundleId }) =>
    `این کلید ${apart(keyId)} از تیم ${apart(teamId)} برای برنامهٔ ${apart(bundleId)} است.`,
  production: () =>
    'محیط production است: برنامه‌های App Store و TestFlight. پیام‌ها به برنامه‌ای که از Xcode اجرا شود نمی‌رسند.',
  sandbox: () =>
    'محیط sandbox است: برنامه‌هایی که از Xcode اجرا می‌شوند. پیام‌ها به برنامه‌های App Store و TestFlight نمی‌رسند.',
  'key-pair': ({ publicKey, subject }) =>
    `جفت کلید درست است؛ کلید عمومی آن ${apart(publicKey)} است. سرویس‌های پوش از طریق ${apart(subject)} با شما تماس می‌گیرند.`,
  'key-signs': () => 'کلید خصوصی درست کار می‌کند.',
  'key-broken': () => 'کلید خصوصی کار نمی‌کند: فایل خراب است. کلید جدیدی بسازید و آن را وارد کنید.',
  'sms-http': ({ origin, method }) => `پیامک‌ها با ${apart(method)} به ${apart(origin)} ارسال می‌شوند.`,
  'sms-twilio': ({ accountSid, from }) =>
    `پیامک‌ها با حساب Twilio ${apart(accountSid)} و از ${apart(from)} ارسال می‌شوند.`,
  'sms-limit': ({ limit }) => `در روز حداکثر ${Number(limit).toLocaleString('fa')} پیامک ارسال می‌شود.`,
  taken: (_, provider) => `${provider} اعتبارنامه را می‌پذیرد.`,
  'pair-signs': () => 'جفت کلید درست کار می‌کند. از سرویس‌های پوش پرسیده نمی‌شود: آن‌ها کلید را با هر پوش می‌بینند.',
  'not-taken': (_, provider) => `${provider} اعتبارنامه را نمی‌پذیرد.`,
  unasked: (_, provider) => `اتصال به ${provider} برقرار نشد.`,
  paused: () => 'متوقف است. وقتی مشکل برطرف شد ارسال را ادامه دهید.',
}
