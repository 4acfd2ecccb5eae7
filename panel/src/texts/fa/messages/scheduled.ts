import type { scheduledEn } from '../../en/messages/scheduled.ts'

/** The texts of scheduled messages in Persian. */
export const scheduledFa: typeof scheduledEn = {
  label: 'پیام‌های زمان‌بندی‌شده',
  lead: 'پیام‌هایی که بعداً ارسال می‌شوند، به ترتیب زمان.',
  copy: 'ارسال یک کپی',
  none: 'پیامی زمان‌بندی نشده است',
  noneText: 'هنگام نوشتن پیام، در مرحلهٔ ارسال «بعداً» را انتخاب کنید یا در API از sendAt استفاده کنید.',
  goes: 'زمان ارسال',
  goesAt: (moment, distance) => `زمان ارسال: ${moment}، ${distance}.`,
  late: {
    now: 'کاربرانی که هنگام شروع وقتشان گذشته است، آن را بی‌درنگ می‌گیرند.',
    nextDay: 'کاربرانی که هنگام شروع وقتشان گذشته است، آن را روز بعد می‌گیرند.',
    skip: 'کاربرانی که هنگام شروع وقتشان گذشته است، کنار گذاشته می‌شوند.',
  },
  waiting: 'گیرندگان در همان زمان دوباره مشخص می‌شوند. تعداد بالا مربوط به وقتی است که پیام زمان‌بندی شد.',
  changeTime: 'تغییر زمان',
  changeTitle: 'چه زمانی ارسال شود؟',
  save: 'ذخیرهٔ زمان',
  saved: (moment) => `زمان ارسال به ${moment} تغییر کرد.`,
  sendNow: 'ارسال همین حالا',
  sendNowTitle: 'همین حالا ارسال شود؟',
  sendNowText: (devices) => `بی‌درنگ ارسال می‌شود. هنگام زمان‌بندی، گیرندگان ${devices} بودند.`,
  started: 'در حال ارسال است.',
  cancel: 'لغو ارسال',
  cancelTitle: 'این پیام لغو شود؟',
  keep: 'زمان‌بندی بماند',
  cancelText: 'ارسال نمی‌شود. بعداً می‌توانید یک کپی از آن را بفرستید.',
  cancelled: 'لغو شد. چیزی ارسال نشد.',
  wasCancelled: (moment) => `لغو شده است. برای ${moment} زمان‌بندی شده بود و چیزی ارسال نشد.`,
}
