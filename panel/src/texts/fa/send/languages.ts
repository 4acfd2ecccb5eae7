import type { languagesEn } from '../../en/send/languages.ts'

export const languagesFa: typeof languagesEn = {
  label: 'زبان‌ها',
  plain: 'پیش‌فرض',
  add: 'افزودن زبان',
  search: 'جست‌وجوی زبان',
  none: 'چنین زبانی نیست',
  most: 'هر پیام حداکثر ۲۰ زبان دارد.',
  remove: (name) => `حذف ${name}`,
  hint: (name) => `برای دستگاه‌هایی که زبانشان ${name} است. هر چه خالی بماند همان متن پیش‌فرض است.`,
  complete: 'همهٔ متن‌ها نوشته شده‌اند',
  missing: (missing, shown) =>
    missing === 1 ? 'یک متن کم است: پیش‌فرض به کار می‌رود' : `${shown} متن کم است: پیش‌فرض به کار می‌رود`,
  empty: 'هنوز چیزی نوشته نشده است',
  preview: (name) => `پیش‌نمایش به ${name}`,
  devices: 'زبان دستگاه‌ها',
}
