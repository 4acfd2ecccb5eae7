import type { writingEn } from '../../en/send/writing.ts'

export const writingFa: typeof writingEn = {
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
