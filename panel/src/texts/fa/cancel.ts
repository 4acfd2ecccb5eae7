import type { cancelEn } from '../en/cancel.ts'

/** What cancelling a message does, in Persian: the overview and the page of a message say it. */
export const cancelFa: typeof cancelEn = {
  cancelText: (kept, inFlight, show) =>
    [
      ...(kept > 0 ? [`${show(kept)} دستگاه آن را نخواهند گرفت.`] : []),
      ...(inFlight > 0
        ? [`${show(inFlight)} دستگاه همین حالا در حال تحویل‌اند: آنچه به دست سرویس‌دهنده رسیده می‌رود و بقیه متوقف می‌شود.`]
        : []),
      'آنچه فرستاده شده برنمی‌گردد و ارسال بعداً ادامه نمی‌یابد.',
    ].join(' '),
  cancelled: (count, inFlight, show) => {
    if (count + inFlight === 0) return 'دیر بود: همه‌اش تحویل داده شده بود.'
    if (count === 0) return `در حال لغو. ${show(inFlight)} دستگاه در همان لحظه در حال تحویل بودند.`
    const rest = inFlight > 0 ? ` ${show(inFlight)} دستگاه در همان لحظه در حال تحویل بودند.` : ''
    return `لغو شد: ${show(count)} دستگاه آن را نخواهند گرفت.${rest}`
  },
}
