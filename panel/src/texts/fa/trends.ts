import type { trendsEn } from '../en/trends.ts'

/** What charts answer, in Persian. */
export const trendsFa: typeof trendsEn = {
  before: (days, shown) => (days === 7 ? 'هفتهٔ قبل' : `${shown} روز قبل از آن`),
  rose: (what, share, before) => `${what} نسبت به ${before} ${share} بیشتر شد`,
  fell: (what, share, before) => `${what} نسبت به ${before} ${share} کمتر شد`,
  level: (what, before) => `${what} نسبت به ${before} تغییری نکرد`,
  against: (what, now, then, before) => `${what}: ${now}؛ در ${before}: ${then}`,
  todayOnly: (what, today) => `${what}: امروز ${today}، در روزهای پیش هیچ`,
  none: (nothing, days) => `در ${days} روز گذشته ${nothing}`,
  what: {
    installs: 'نصب',
    visits: 'بازدید',
    activeUsers: 'کاربر فعال روزانه',
    activeInstallations: 'دستگاه فعال روزانه',
    opened: 'باز شدن پیام‌ها',
    uninstalls: 'حذف نصب',
    churned: 'کاربران ازدست‌رفته',
    revenue: 'درآمد',
    events: 'تعداد رویداد',
  },
  nothing: {
    installs: 'نصبی نبود',
    visits: 'بازدیدی نبود',
    activeUsers: 'کاربر فعالی نبود',
    activeInstallations: 'دستگاه فعالی نبود',
    opened: 'پیامی باز نشد',
    uninstalls: 'حذف نصبی نبود',
    churned: 'کاربری از دست نرفت',
    revenue: 'درآمدی نبود',
    events: 'رویدادی نبود',
  },
  revenueIn: (currency) => `درآمد (${currency})`,
  noRevenueIn: (currency) => `درآمدی به ${currency} نبود`,
}
