import type { Refusal, SaidRefusal } from '../en/refusals.ts'

const apart = (text: unknown) => `\u2068${String(text)}\u2069`

/** By the codes of docs/reference/errors.md. */
export const headlinesFa: Record<string, string> = {
  'invalid-request': 'یکی از مقدارها وارد نشده یا مجاز نیست',
  'unknown-field': 'درخواست فیلدی دارد که سرویس آن را نمی‌شناسد',
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

/** A headline that ends with a full stop says all there is. */
export function sayHeadlineFa({ code, details }: Refusal): SaidRefusal | undefined {
  const headline = headlinesFa[code]
  if (headline === undefined) return undefined
  if (headline.endsWith('.')) return { text: headline, isWhole: true }
  const field = typeof details?.field === 'string' && details.field !== '' ? ` («${apart(details.field)}»)` : ''
  return { text: `${headline}${field}:`, isWhole: false }
}
