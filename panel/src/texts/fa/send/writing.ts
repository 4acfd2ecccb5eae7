import type { writingEn } from '../../en/send/writing.ts'

export const writingFa: typeof writingEn = {
  values: {
    title: 'مقدارها',
    lead: 'متن‌ها این‌ها را لازم دارند. برای همهٔ گیرندگان پیام یکسان‌اند.',
    label: (name) => `مقدار \u2068${name}\u2069`,
    given: 'همراه ارسال',
    optional: 'اختیاری',
    fallback: 'اختیاری: بدون آن، مقدار جایگزین متن‌ها می‌آید.',
    new: 'نام مقدار جدید',
    newPlaceholder: 'orderId',
    newHint: 'هنگام ارسال همین‌جا نوشته می‌شود، یا در API با «values» داده می‌شود.',
    wrongName: 'یک حرف، سپس حرف، رقم، _ و -',
    add: 'افزودن مقدار',
  },
  emoji: {
    open: (field) => `افزودن ایموجی: ${field}`,
    title: 'افزودن ایموجی',
    search: 'جست‌وجوی ایموجی',
    none: 'ایموجی‌ای پیدا نشد',
    groups: {
      recent: 'اخیر',
      found: 'نتیجه‌ها',
      smileys: 'شکلک‌ها',
      people: 'آدم‌ها و دست‌ها',
      hearts: 'قلب‌ها',
      celebration: 'جشن و ورزش',
      shopping: 'خرید',
      objects: 'اشیا',
      food: 'خوراکی و نوشیدنی',
      nature: 'طبیعت و حیوانات',
      travel: 'سفر و مکان‌ها',
      signs: 'علامت‌ها',
    },
  },
  length: {
    count: (shown) => `${shown} کاراکتر.`,
    collapsed: (rooms) => `در حالت بسته ${rooms} دیده می‌شود.`,
    expanded: (rooms) => `در حالت باز ${rooms} دیده می‌شود.`,
    rooms: {
      android: (about) => `حدود ${about} کاراکتر در اندروید`,
      ios: (about) => `حدود ${about} کاراکتر در iOS`,
      web: (about) => `حدود ${about} کاراکتر در مرورگر`,
    },
  },
}
