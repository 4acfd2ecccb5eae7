import type { Refusal, SaidRefusal, sayRefusalEn } from '../en/refusals.ts'
import { sayTemplateFault } from '../say-template-fault.ts'
import { templateFaultsFa } from './send/template-faults.ts'

const apart = (text: unknown) => `\u2068${String(text)}\u2069`

/** By the codes of docs/errors.md. */
export const headlinesFa: Record<string, string> = {
  'invalid-request': 'یکی از مقدارها وارد نشده یا مجاز نیست',
  'invalid-json': 'JSON درخواست معتبر نیست',
  'invalid-text': 'متن کاراکتری دارد که ذخیره نمی‌شود',
  'invalid-segment': 'یکی از شرط‌های سگمنت درست نیست',
  'invalid-template': 'قالب متن درست نیست',
  'invalid-file': 'فایل کدها درست نیست',
  'invalid-image': 'این فایل تصویر معتبری نیست',
  'credentials-refused': 'سرویس‌دهنده این اعتبارنامه را نپذیرفت',
  'credentials-unchecked': 'اعتبارنامهٔ تازه بررسی نشد و اعتبارنامهٔ فعلی کار می‌کند',
  'payload-too-large': 'پیام با داده‌هایش بزرگ‌تر از حد مجاز سرویس‌دهنده است',
  'malformed-http': 'درخواست HTTP معتبر نیست',
  'no-token': 'توکن دسترسی همراه درخواست نبود',
  'unknown-token': 'توکن دسترسی ناشناخته، باطل یا منقضی است',
  'foreign-token': 'توکن دسترسی متعلق به برنامهٔ دیگری است',
  'signed-out': 'دیگر وارد پنل نیستید. دوباره وارد شوید.',
  'wrong-sign-in': 'ایمیل یا رمز عبور درست نیست، یا لینک ورود قبلاً استفاده شده یا قدیمی است.',
  'wrong-scope': 'توکن دسترسی مجوز این کار را ندارد',
  'wrong-origin': 'این درخواست از صفحه‌ای آمده که مجاز نیست',
  'wrong-role': 'نقش شما این اجازه را ندارد.',
  'identity-unverified': 'هویت کاربر تأیید نشد',
  'unknown-route': 'این آدرس وجود ندارد',
  'not-found': 'وجود ندارد یا حذف شده است.',
  'unknown-campaign': 'کمپینی با این شناسه پیدا نشد.',
  'request-timeout': 'درخواست به‌موقع نرسید. دوباره تلاش کنید.',
  'already-exists': 'این نام یا شناسه قبلاً استفاده شده است',
  'in-use': 'جای دیگری از آن استفاده می‌شود',
  'still-running': 'همین درخواست هنوز در حال انجام است. کمی صبر کنید.',
  'already-started': 'ارسال این پیام شروع شده است و دیگر تغییر نمی‌کند.',
  'not-started': 'ارسال این پیام هنوز شروع نشده است.',
  'series-ended': 'این ارسال تکراری پایان یافته است و دیگر تغییر نمی‌کند.',
  'already-decided': 'دربارهٔ این ارسال پیش‌تر تصمیم گرفته شده یا مهلت آن گذشته است.',
  'own-request': 'این ارسال را باید عضو دیگری تأیید کند، نه کسی که آن را خواسته است.',
  'audience-grew': 'تعداد گیرندگان خیلی بیشتر از تعدادی است که تأیید کرده بودید. چیزی ارسال نشد.',
  'changed-meanwhile': 'در این فاصله کس دیگری آن را ذخیره کرده است.',
  'too-large': 'از حد مجاز بزرگ‌تر است',
  'unsupported-type': 'این نوع محتوا پذیرفته نمی‌شود',
  'cursor-expired': 'آنچه پس از این نشانه آمده دیگر نگه داشته نمی‌شود',
  'limit-reached': 'به حداکثر تعداد یا اندازهٔ مجاز رسیده است',
  'key-reused': 'این درخواست قبلاً با محتوای دیگری ارسال شده بود',
  'quota-exceeded': 'سهمیهٔ برنامه تمام شده است',
  'too-many-requests': 'تعداد درخواست‌ها زیاد بود. کمی صبر کنید.',
  'headers-too-large': 'هدرهای درخواست بیش از حد بزرگ‌اند',
  internal: 'سرویس هنگام انجام این درخواست با خطا روبه‌رو شد.',
  'store-away': 'سرویس الان به پایگاه داده‌اش دسترسی ندارد.',
  'store-full': 'دیسک پایگاه داده پر است. چیزی ذخیره نشد.',
  'store-busy': 'پایگاه داده مشغول است. دوباره تلاش کنید.',
  'shutting-down': 'سرویس در حال خاموش شدن است.',
}

const existing: Record<string, (name: string) => string> = {
  campaign: (name) => `کمپینی با شناسهٔ «${name}» وجود دارد.`,
  segment: (name) => `سگمنتی با نام «${name}» وجود دارد.`,
  template: (name) => `قالبی با نام یا شناسهٔ «${name}» وجود دارد.`,
  member: (name) => `${name} همین حالا عضو است.`,
  'key-pair': () =>
    'این برنامه جفت کلید دارد و اشتراک مرورگرها به آن وابسته است: با جفت کلید جدید، همهٔ اشتراک‌ها تا بازدید بعدی از کار می‌افتند.',
}

const expected: Record<string, string> = {
  time: 'زمان باید تاریخ یا تعداد ساعت باشد، مانند 6h.',
  date: 'زمان باید تاریخ یا تعداد ساعت باشد، مانند 6h.',
  hours: 'تعداد ساعت را بنویسید، مانند 6h.',
  number: 'مقدار این شرط باید عدد باشد.',
  version: 'مقدار این شرط باید شمارهٔ نسخه باشد، مانند 1.10.2.',
  text: 'مقدار این شرط باید متن باشد.',
  boolean: 'مقدار این شرط باید «درست» یا «نادرست» باشد.',
  list: 'مقدار این شرط باید متن باشد.',
  tags: 'مقدار این شرط باید یک برچسب باشد.',
  channel: 'مقدار این شرط باید نام یک کانال باشد.',
}

export const sayRefusalFa: typeof sayRefusalEn = (refusal) => sayWhole(refusal) ?? sayHeadline(refusal)

/** Those that people meet often, with nothing left to explain. */
function sayWhole({ code, details = {} }: Refusal): SaidRefusal | undefined {
  if (code === 'already-exists' && typeof details.what === 'string') {
    const text = existing[details.what]?.(apart(details.name))
    return text === undefined ? undefined : { text, isWhole: true }
  }
  if (code === 'in-use' && details.what === 'category') {
    return { text: 'این دسته برای ارسال‌های گروهی انتخاب شده است. اول دستهٔ دیگری برای آن‌ها انتخاب کنید.', isWhole: true }
  }
  if (code === 'invalid-template') {
    const text = sayTemplateFault(details.reason, templateFaultsFa)
    return text === undefined ? undefined : { text, isWhole: true }
  }
  if (code === 'invalid-file' && details.isEmpty === true) {
    return { text: 'فایل خالی است: در هر خط یک کد بنویسید.', isWhole: true }
  }
  if (code === 'invalid-file' && Array.isArray(details.lines)) {
    const lines = details.lines.map((line) => Number(line).toLocaleString('fa')).join('، ')
    return {
      text: `این خط‌ها کد نیستند: ${lines}. در هر خط یک کد از ۱ تا ۶۴ حرف A تا Z، رقم و خط تیره بنویسید.`,
      isWhole: true,
    }
  }
  const image = sayImage(code, details)
  if (image !== undefined) return { text: image, isWhole: true }
  if (code === 'invalid-segment' && typeof details.expected === 'string') {
    const text = expected[details.expected]
    return text === undefined ? undefined : { text, isWhole: true }
  }
  return undefined
}

function sayImage(code: string, details: Record<string, unknown>): string | undefined {
  if (code === 'invalid-image' && details.problem === 'type') return 'این فایل یک JPEG، PNG، WebP یا GIF کامل نیست.'
  if (code === 'invalid-image' && details.problem === 'side') return 'هر ضلع تصویر باید حداکثر ۴٬۰۹۶ پیکسل باشد.'
  if (code === 'too-large' && details.what === 'image') return 'حجم تصویر باید حداکثر ۱ مگابایت باشد.'
  if (code === 'limit-reached' && details.what === 'images')
    return 'جای تصویرهای این برنامه پر است. در تنظیمات چندتا را حذف کنید.'
  return undefined
}

/** A headline that ends with a full stop says all there is. */
function sayHeadline({ code, details }: Refusal): SaidRefusal | undefined {
  const headline = headlinesFa[code]
  if (headline === undefined) return undefined
  if (headline.endsWith('.')) return { text: headline, isWhole: true }
  const field = typeof details?.field === 'string' && details.field !== '' ? ` («${apart(details.field)}»)` : ''
  return { text: `${headline}${field}:`, isWhole: false }
}
