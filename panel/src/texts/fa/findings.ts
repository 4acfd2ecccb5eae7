import type { findingsEn } from '../en/findings.ts'

const apart = (text: string | undefined) => `\u2068${text ?? ''}\u2069`

const serviceAccount =
  'فایل حساب سرویس Firebase را وارد کنید: Project settings › Service accounts › Generate new private key.'
const appleKey = 'فایل .p8 را از سایت توسعه‌دهندگان اپل وارد کنید: Keys › Apple Push Notifications service.'

const hints: Record<string, string> = {
  project_id: `شناسهٔ پروژهٔ Firebase است، مانند «${apart('shop-1a2b3')}».`,
  client_email: 'نشانی حساب سرویس است.',
  private_key: serviceAccount,
  token_uri: `نشانی‌ای مانند ${apart('https://oauth2.googleapis.com/token')} است.`,
  privateKey: appleKey,
  keyId: `ده حرف بزرگ و رقم است، همان که در ${apart('AuthKey_<key id>.p8')} آمده.`,
  teamId: 'ده حرف بزرگ و رقم است: بخش Membership در سایت توسعه‌دهندگان اپل.',
  bundleId: `شناسهٔ بستهٔ برنامه است، مانند ${apart('com.example.shop')}.`,
  subject: `${apart('mailto:you@example.com')} یا ${apart('https://example.com')} است تا سرویس‌های پوش بتوانند با شما تماس بگیرند.`,
  accountSid: 'AC و ۳۲ رقم شانزده‌شانزدهی است، نه کلید API.',
  authToken: 'Auth Token حساب Twilio است.',
  from: `شماره‌ای مانند ${apart('+15005550006')}، کد کوتاه، نامی با حداکثر ۱۱ حرف و رقم، یا Messaging Service SID است.`,
  dailyLimit: 'تعداد پیامک در روز، عددی صحیح و حداکثر ۱۰٬۰۰۰٬۰۰۰ است.',
  url: `نشانی https بدون نام کاربری و رمز عبور است؛ ${apart('{{to}}')} و ${apart('{{text}}')} می‌توانند در مسیر و پرس‌وجوی آن باشند.`,
  body: 'درخواست GET بدنه ندارد؛ در بقیه حداکثر ۱۶٬۳۸۴ نویسه است.',
  headers: 'هرکدام نام و مقداری از نویسه‌های ASCII دارد؛ هدرهای اتصال را خود سرویس تنظیم می‌کند.',
  success: `وضعیت‌هایی مانند ${apart('[200, 202]')}، مسیری با مقداری که باید آنجا باشد، یا یک متن است.`,
}
const hintOf = (field = '') => (Object.hasOwn(hints, field) ? ` ${hints[field]}` : '')

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
  'key-signs': () => 'کلید خصوصی خوانده می‌شود و امضا می‌کند.',
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
  undecryptable: () =>
    'اعتبارنامهٔ ذخیره‌شده رمزگشایی نمی‌شود: کلیدی که با آن رمز شده بود در دسترس نیست. آن را دوباره وارد کنید.',
  'not-json': () => 'این یک شیء JSON نیست.',
  'field-missing': ({ field, label }) => `«${apart(label)}» وارد نشده است.${hintOf(field)}`,
  'field-form': ({ field, label }) => `«${apart(label)}» شکل درستی ندارد.${hintOf(field)}`,
  'file-legacy-key': () =>
    `این کلید سرور قدیمی یا کلید API است؛ گوگل آن را در سال ۲۰۲۴ از کار انداخت. ${serviceAccount}`,
  'file-xml': () => `این یک فایل XML مانند GoogleService-Info.plist است. ${serviceAccount}`,
  'file-android': () => `این فایل google-services.json است که جایش در برنامهٔ اندروید است. ${serviceAccount}`,
  'file-web': () => `این تنظیمات Firebase برای صفحهٔ وب است. ${serviceAccount}`,
  'file-other': () => `این فایل حساب سرویس نیست. ${serviceAccount}`,
  'push-certificate': () => `این گواهی پوش (.p12 یا .cer) است که اپل کلید را جایگزینش کرده. ${appleKey}`,
  'key-type': ({ field, label }) => `«${apart(label)}» از نوع دیگری است.${hintOf(field)}`,
  'key-certificate': ({ field, label }) => `«${apart(label)}» گواهی است و کلید خصوصی ندارد.${hintOf(field)}`,
  'key-public': ({ field, label }) => `«${apart(label)}» کلید عمومی است.${hintOf(field)}`,
  'key-password': ({ label }) => `«${apart(label)}» رمز عبور دارد. کلیدی بدون رمز عبور وارد کنید.`,
  'key-none': ({ field, label }) =>
    `«${apart(label)}» خط «${apart('-----BEGIN PRIVATE KEY-----')}» را ندارد.${hintOf(field)}`,
  'key-cut': ({ label }) => `«${apart(label)}» خوانده نمی‌شود. شاید هنگام کپی بریده یا عوض شده باشد.`,
  'not-a-pair': () => 'کلید عمومی و کلید خصوصی با هم جفت نیستند.',
  'placeholder-missing': ({ name }) => `${apart(name)} نه در نشانی است و نه در بدنه: درگاه از آن بی‌خبر می‌ماند.`,
  'placeholder-unknown': ({ name }) =>
    `${apart(name)} شناخته‌شده نیست. این‌ها را می‌توانید به کار ببرید: ${apart('{{to}}')}، ${apart('{{text}}')} و ${apart('{{reference}}')}.`,
  'placeholder-bare': () =>
    `بدنه JSON نیست، یا ${apart('{{to}}')}، ${apart('{{text}}')} یا ${apart('{{reference}}')} در آن بدون گیومه آمده است.`,
}
