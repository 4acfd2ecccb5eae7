import type { cancelEn } from '../../en/messages/cancel.ts'

/** What cancelling a message does, in Persian: the overview and the page of a message say it. */
export const cancelFa: typeof cancelEn = {
  keepSending: 'ادامهٔ ارسال',
  cancelText: (kept, inFlight, show) =>
    [
      ...(kept > 0 ? [`${show(kept)} دستگاه آن را دریافت نمی‌کنند.`] : []),
      ...(inFlight > 0
        ? [`ارسال به ${show(inFlight)} دستگاه همین حالا در جریان است: آنچه به سرویس‌دهنده رسیده می‌رود و بقیه لغو می‌شود.`]
        : []),
      'آنچه ارسال شده روی دستگاه‌ها می‌ماند مگر پیام را پس بگیرید، و ارسال بعداً ادامه پیدا نمی‌کند.',
    ].join(' '),
  cancelled: (count, inFlight, show) => {
    if (count + inFlight === 0) return 'دیر بود: همهٔ پیام‌ها ارسال شده بود.'
    const rest = inFlight > 0 ? ` ارسال به ${show(inFlight)} دستگاه در همان لحظه در جریان بود.` : ''
    if (count === 0) return `در حال لغو.${rest}`
    return `لغو شد: ${show(count)} دستگاه آن را دریافت نمی‌کنند.${rest}`
  },
}
