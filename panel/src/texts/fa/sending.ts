import type { sendingEn } from '../en/sending.ts'

type Waiting = Parameters<typeof sendingEn.waiting>[0]
type Show = Parameters<typeof sendingEn.waiting>[1]

/** Stopping and resuming all that an app sends, in Persian. */
export const sendingFa: typeof sendingEn = {
  stop: 'توقف همهٔ ارسال‌ها',
  stopTitle: 'همهٔ ارسال‌ها متوقف شود؟',
  stopText: (waiting, show) =>
    `${isNothing(waiting) ? 'الان چیزی در حال ارسال نیست.' : `${amount(waiting, show)} تا ادامهٔ ارسال منتظر می‌ماند.`} پیام‌های جدید هم پذیرفته می‌شوند و منتظر می‌مانند. وب‌هوک‌ها ادامه دارند.`,
  stopped: (waiting, show) =>
    `${isNothing(waiting) ? 'همهٔ ارسال‌ها متوقف شد. چیزی در حال ارسال نبود.' : `همهٔ ارسال‌ها متوقف شد: ${amount(waiting, show)} منتظر می‌ماند.`}${
      waiting.inFlight > 0 ? ` اعلان ${show(waiting.inFlight)} دستگاه پیش از توقف به دست سرویس‌دهنده رسیده بود.` : ''
    }`,
  isStopped: 'همهٔ ارسال‌ها متوقف است',
  since: (when, by) => `از ${when}، ${by === undefined ? 'از خط فرمان' : `توسط ${by}`}.`,
  waiting: (waiting, show) => (isNothing(waiting) ? 'چیزی در انتظار نیست.' : `در انتظار: ${amount(waiting, show)}.`),
  resume: 'ادامهٔ ارسال',
  resumeTitle: 'همهٔ ارسال‌ها ادامه یابد؟',
  resumeText: (waiting, show) =>
    `${isNothing(waiting) ? 'چیزی در انتظار نیست.' : `${amount(waiting, show)} ارسال می‌شود.`} پیام‌هایی که جداگانه متوقف شده‌اند متوقف می‌مانند.`,
  resumed: (waiting, show) =>
    isNothing(waiting) ? 'ارسال ادامه یافت. چیزی در انتظار نبود.' : `ارسال ادامه یافت: ${amount(waiting, show)}.`,
}

function isNothing({ messages, sms }: Waiting): boolean {
  return messages + sms === 0
}

function amount({ messages, devices, sms, more }: Waiting, show: Show): string {
  const pushes = `${show(messages)} پیام به ${show(devices)} دستگاه`
  const parts = [...(messages > 0 ? [pushes] : []), ...(sms > 0 ? [`${show(sms)} پیامک`] : [])]
  return `${more ? 'بیش از ' : ''}${parts.join(' و ')}`
}
