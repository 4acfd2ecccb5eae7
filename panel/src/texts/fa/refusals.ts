import type { Refusal, SaidRefusal, sayRefusalEn } from '../en/refusals.ts'
import { sayTemplateFault } from '../say-template-fault.ts'
import { templateFaultsFa } from './send/template-faults.ts'

const apart = (text: unknown) => `\u2068${String(text)}\u2069`

/** By the codes of docs/errors.md. */
export const headlinesFa: Record<string, string> = {
  'invalid-request': 'یکی از مقدارها جا افتاده یا پذیرفته نیست',
  'invalid-json': 'درخواست JSON درستی نیست',
  'invalid-text': 'متن نویسه‌ای دارد که ذخیره نمی‌شود',
  'invalid-segment': 'یکی از قاعده‌های سگمنت درست نیست',
  'invalid-template': 'قالب متن درست نیست',
  'invalid-file': 'فایل کدها درست نیست',
  'invalid-image': 'این فایل تصویر پذیرفته‌ای نیست',
  'credentials-refused': 'سرویس‌دهنده این اعتبارنامه را نپذیرفت',
  'payload-too-large': 'پیام با داده‌هایش از اندازه‌ای که سرویس‌دهنده می‌پذیرد بزرگ‌تر است',
  'malformed-http': 'درخواست HTTP درستی نیست',
  'no-token': 'توکن دسترسی همراه درخواست نبود',
  'unknown-token': 'توکن دسترسی ناشناخته، باطل یا منقضی است',
  'foreign-token': 'توکن دسترسی از برنامهٔ دیگری است',
  'signed-out': 'دیگر وارد پنل نیستید. دوباره وارد شوید.',
  'wrong-sign-in': 'نشانی ایمیل یا گذرواژه درست نیست، یا لینک ورود پیش‌تر به کار رفته یا کهنه است.',
  'wrong-scope': 'توکن دسترسی برای این کار نیست',
  'wrong-origin': 'این درخواست از صفحه‌ای آمد که اجازه ندارد',
  'wrong-role': 'نقش شما این اجازه را ندارد.',
  'identity-unverified': 'هویت کاربر تأیید نشد',
  'unknown-route': 'چنین نشانی‌ای نیست',
  'not-found': 'چنین چیزی نیست، یا دیگر نیست.',
  'unknown-campaign': 'کمپینی با این trackId نیست.',
  'request-timeout': 'درخواست به‌موقع نرسید. دوباره تلاش کنید.',
  'already-exists': 'چیزی با این نام یا شناسه از پیش هست',
  'still-running': 'همین درخواست هنوز در دست انجام است. کمی صبر کنید.',
  'audience-grew': 'گیرندگان از آنچه تأیید کرده بودید بسیار بیشتر شده‌اند. چیزی فرستاده نشد.',
  'changed-meanwhile': 'در این میان کس دیگری آن را ذخیره کرده است.',
  'too-large': 'از اندازهٔ مجاز بزرگ‌تر است',
  'unsupported-type': 'این نوع محتوا پذیرفته نیست',
  'limit-reached': 'به بیشترین تعداد یا اندازهٔ مجاز رسیده است',
  'key-reused': 'این درخواست پیش‌تر با محتوای دیگری فرستاده شده بود',
  'too-many-requests': 'درخواست‌ها بیش از اندازه بود. کمی صبر کنید.',
  'headers-too-large': 'سرآیندهای درخواست بیش از اندازه بزرگ‌اند',
  internal: 'در خود سرویس خطایی رخ داد.',
  'store-away': 'سرویس الان به پایگاه داده‌اش دسترسی ندارد.',
  'store-full': 'دیسک پایگاه داده پر است. چیزی ذخیره نشد.',
  'store-busy': 'پایگاه داده سرش شلوغ است. دوباره تلاش کنید.',
  'shutting-down': 'سرویس در حال خاموش شدن است.',
}

const existing: Record<string, (name: string) => string> = {
  campaign: (name) => `کمپینی با trackId «${name}» از پیش هست.`,
  segment: (name) => `سگمنتی به نام «${name}» از پیش هست.`,
  template: (name) => `قالبی به نام یا شناسهٔ «${name}» از پیش هست.`,
  member: (name) => `${name} از پیش عضو است.`,
  'key-pair': () =>
    'این برنامه از پیش یک جفت کلید دارد و اشتراک‌های مرورگرها به آن بسته‌اند: با جفت جدید همه از کار می‌افتند تا مرورگرها دوباره مشترک شوند.',
}

const expected: Record<string, string> = {
  time: 'زمان باید تاریخ یا شمار ساعت باشد، مانند 6h.',
  date: 'زمان باید تاریخ یا شمار ساعت باشد، مانند 6h.',
  hours: 'شمار ساعت بنویسید، مانند 6h.',
  number: 'مقدار این قاعده باید عدد باشد.',
  version: 'مقدار این قاعده باید شمارهٔ نسخه باشد، مانند 1.10.2.',
  text: 'مقدار این قاعده باید متن باشد.',
  boolean: 'مقدار این قاعده باید «بله» یا «نه» باشد.',
  list: 'مقدار این قاعده باید متن باشد.',
  tags: 'مقدار این قاعده باید یک برچسب باشد.',
  channel: 'مقدار این قاعده باید نام یک کانال باشد.',
}

export const sayRefusalFa: typeof sayRefusalEn = (refusal) => sayWhole(refusal) ?? sayHeadline(refusal)

/** Those that people meet often, with nothing left to explain. */
function sayWhole({ code, details = {} }: Refusal): SaidRefusal | undefined {
  if (code === 'already-exists' && typeof details.what === 'string') {
    const text = existing[details.what]?.(apart(details.name))
    return text === undefined ? undefined : { text, isWhole: true }
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
