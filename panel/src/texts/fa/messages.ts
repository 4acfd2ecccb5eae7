import type { messagesEn } from '../en/messages.ts'
import { storyFa } from './story.ts'

const devices = (_count: number, shown: string) => `${shown} دستگاه`

/** The texts of messages in Persian. */
export const messagesFa: typeof messagesEn = {
  lead: 'هر آنچه فرستاده شده است، از تازه به کهنه. آنچه در راه است خودبه‌خود به‌روز می‌شود.',
  send: 'پیام تازه',
  none: 'هنوز چیزی فرستاده نشده است',
  noneText: 'پیام‌هایی که از این‌جا یا با API می‌فرستید در این فهرست می‌آیند، با این‌که تا کجا رسیده‌اند.',
  noneFound: 'پیامی پیدا نشد',
  noneFoundText:
    'با شناسهٔ پیام، trackId، clientId، شناسهٔ کاربر یا واژه‌های یک پیام گروهی جست‌وجو کنید. واژه‌ها در ۲٬۰۰۰ پیام گروهی آخر جست‌وجو می‌شوند.',
  clear: 'پاک کردن جست‌وجو',
  search: 'جست‌وجوی پیام‌ها',
  searchHint: 'واژه، شناسهٔ کاربر، trackId یا شناسهٔ پیام',
  kind: 'کدام پیام‌ها',
  kinds: { all: 'همه', group: 'گروهی', personal: 'تکی' },
  message: 'پیام',
  to: 'گیرنده',
  when: 'زمان ارسال',
  status: 'وضعیت',
  delivered: 'رسیده',
  opened: 'باز شده',
  devices,
  silent: 'بی‌صدا، بدون اعلان',
  noText: 'بدون متن',
  toUsers: (_count, shown) => `${shown} کاربر`,
  toChannel: (channel) => `کانال ${channel}`,
  toEverybody: 'همه',
  toGroup: 'گروهی با قاعده',
  statuses: {
    waiting: 'در انتظار',
    sending: 'در حال ارسال',
    pausing: 'در حال توقف',
    paused: 'متوقف',
    stopping: 'در حال لغو',
    cancelled: 'لغو شده',
    tooLate: 'لغو، اما دیر',
    done: 'پایان یافته',
    nobody: 'گیرنده‌ای نداشت',
  },
  progress: (done, total) => `${done} از ${total}`,
  progressLabel: 'چه اندازه از آن تحویل داده شده است',
  eta: (duration) => `حدود ${duration} مانده`,
  rate: (perSecond) => `${perSecond} در ثانیه`,
  notThere: 'چنین پیامی نیست',
  notThereText: 'شاید قدیمی‌تر از آن است که نگه داشته شده باشد، یا از برنامهٔ دیگری است.',
  toList: 'همهٔ پیام‌ها',
  pause: 'توقف',
  resume: 'ادامهٔ ارسال',
  cancel: 'پایان دادن به ارسال',
  cancelTitle: 'ارسال برای همیشه پایان یابد؟',
  cancelText: (kept, inFlight, show) =>
    [
      ...(kept > 0 ? [`${show(kept)} دستگاه آن را نخواهند گرفت.`] : []),
      ...(inFlight > 0
        ? [`${show(inFlight)} دستگاه همین حالا در حال تحویل‌اند: آنچه به دست سرویس‌دهنده رسیده می‌رود و بقیه متوقف می‌شود.`]
        : []),
      'آنچه فرستاده شده برنمی‌گردد و ارسال بعداً ادامه نمی‌یابد.',
    ].join(' '),
  cancelConfirm: 'پایان بده',
  paused: (kept, inFlight, show) => {
    if (kept + inFlight === 0) return 'برای توقف دیر بود: همه‌اش تحویل داده شده بود.'
    if (kept === 0) return `در حال توقف. ${show(inFlight)} دستگاه در همان لحظه در حال تحویل بودند.`
    const rest = inFlight > 0 ? ` ${show(inFlight)} دستگاه در همان لحظه در حال تحویل بودند.` : ''
    return `متوقف شد: ${show(kept)} دستگاه در انتظار می‌مانند.${rest}`
  },
  resumed: 'ارسال ادامه یافت.',
  cancelled: (count, inFlight, show) => {
    if (count + inFlight === 0) return 'دیر بود: همه‌اش تحویل داده شده بود.'
    if (count === 0) return `در حال لغو. ${show(inFlight)} دستگاه در همان لحظه در حال تحویل بودند.`
    const rest = inFlight > 0 ? ` ${show(inFlight)} دستگاه در همان لحظه در حال تحویل بودند.` : ''
    return `لغو شد: ${show(count)} دستگاه آن را نخواهند گرفت.${rest}`
  },
  stopNote: {
    pausing: (inFlight, show) =>
      `${show(inFlight)} دستگاه در حال تحویل‌اند. آنچه به دست سرویس‌دهنده رسیده دیگر نگه داشته نمی‌شود؛ بقیه منتظر می‌مانند.`,
    paused: (kept, inFlight, show) =>
      `${show(kept)} دستگاه تا ادامهٔ ارسال منتظر می‌مانند.${
        inFlight > 0
          ? ` پیام ${show(inFlight)} دستگاه پیش از توقف به دست سرویس‌دهنده رسیده بود و با پاسخ آن «فرستاده» شمرده می‌شود.`
          : ''
      }`,
    stopping: (cancelled, inFlight, show) =>
      `${cancelled > 0 ? `${show(cancelled)} دستگاه آن را نخواهند گرفت. ` : ''}پیام ${show(inFlight)} دستگاه نزد سرویس‌دهنده یا در راه آن است؛ تا لحظه‌ای دیگر روشن می‌شود کدام‌ها آن را می‌گیرند.`,
    cancelled: (cancelled, others, show) =>
      others === 0
        ? 'پیش از آن‌که چیزی فرستاده شود لغو شد.'
        : `در میانهٔ ارسال لغو شد: ${show(cancelled)} دستگاه آن را نگرفتند و برای ${show(others)} دستگاه دیر بود.`,
    tooLate: (total, show) => `دیر لغو شد: پیامِ هر ${show(total)} دستگاه تحویل داده شده بود و کسی بی‌پیام نماند.`,
  },
  again: 'ارسال دوباره',
  funnel: 'تا کجا رسید',
  funnelLead: 'درصدها نسبت به گام پیشین‌اند.',
  steps: {
    accepted: 'پذیرفته',
    sent: 'فرستاده',
    delivered: 'رسیده',
    shown: 'نمایش داده',
    opened: 'باز شده',
    acted: 'دکمه زده',
    dismissed: 'کنار زده',
  },
  stepHints: {
    accepted: 'دستگاه‌هایی که پیام به آن‌ها می‌رود، در لحظهٔ پذیرش.',
    sent: 'به سرویس‌دهنده یا اتصال خودمان سپرده شد.',
    delivered: 'دستگاه گفته که آن را دارد. دستگاه‌های بدون کتابخانهٔ ما چیزی نمی‌گویند.',
    shown: 'اعلان نمایش داده شد.',
    opened: 'کسی روی آن زد. نسبت به تحویل‌شده‌ها.',
    acted: 'کسی یکی از دکمه‌هایش را زد. نسبت به تحویل‌شده‌ها.',
    dismissed: 'کسی آن را کنار زد. نسبت به تحویل‌شده‌ها.',
  },
  missed: 'آنچه نرسید',
  missedNone: 'تا کنون چیزی جا نمانده است.',
  showThem: 'نشان بده',
  reasons: {
    expired: {
      title: 'در راه منقضی شد',
      text: 'پیش از پایان مهلتش نرسید. مهلت بلندتر به دستگاه‌هایی که مدتی خاموش‌اند هم می‌رسد.',
    },
    gone: {
      title: 'برنامه دیگر نصب نیست',
      text: 'سرویس‌دهنده می‌گوید برنامه حذف شده است. این نصب‌ها حذف‌شده به شمار می‌آیند و بار بعد شمرده نمی‌شوند.',
    },
    refused: {
      title: 'رد شد',
      text: 'سرویس‌دهنده آن را نپذیرفت، یا کاربر خارج شده بود. برای دیدن پاسخ دقیق یکی را باز کنید.',
    },
    'no-provider': {
      title: 'راهی به دستگاه نیست',
      text: 'نه توکن پوش دارد، نه اتصال، یا اعتبارنامهٔ سرویس‌دهنده‌اش نیست. سرویس‌دهنده‌ها را در تنظیمات ببینید.',
    },
    'not-in-channel': { title: 'عضو کانال نیست', text: 'دستگاه مشترک کانال این پیام نیست.' },
    'opted-out': {
      title: 'اعلان‌ها خاموش است',
      text: 'کاربر اجازهٔ اعلان نداده است. پیام درون برنامه همچنان به او می‌رسد.',
    },
    'promo-exhausted': {
      title: 'کد تخفیف نمانده بود',
      text: 'متن به کد نیاز دارد و کدی نبود. کدهای بیشتری بارگذاری کنید و دوباره برای این‌ها بفرستید.',
    },
    cancelled: { title: 'لغو شد', text: 'کسی پیام را پیش از ارسال به این‌ها لغو کرد.' },
    'no-phone': { title: 'شماره تلفن ندارد', text: 'پیامک فرستاده نشد: کاربر شماره تلفن ندارد.' },
    unknown: {
      title: 'سرویس‌دهنده پاسخ نداد',
      text: 'دو بار پرسیده شد و پاسخی نیامد. شاید برخی از این‌ها رسیده باشند.',
    },
  },
  opens: 'باز شدن در گذر زمان',
  opensLead: 'کی باز شد و کی دکمه‌هایش زده شد.',
  byHour: '۴۸ ساعت نخست',
  byDay: 'روزانه',
  actedShort: 'دکمه‌ها',
  noOpens: 'هنوز کسی آن را باز نکرده است.',
  results: 'پس از آن',
  resultsLead: 'رویدادهای ۱۲ ساعت پس از باز شدن.',
  events: 'رویدادها',
  directEvents: (count) => `${count} تای آن‌ها درست پس از لمس`,
  revenue: 'درآمد',
  noRevenue: '–',
  actions: 'دکمه‌های زده‌شده',
  actionNoId: 'بدون شناسه',
  sms: 'پیامک جایگزین',
  smsStates: {
    waiting: 'در انتظار',
    cancelled: 'نیازی نشد',
    sending: 'در حال ارسال',
    sent: 'فرستاده',
    refused: 'رد شد',
    unknown: 'بی‌پاسخ',
    'no-phone': 'بدون شماره',
    'no-provider': 'بدون درگاه پیامک',
    expired: 'منقضی',
    'over-limit': 'بیش از سقف روزانه',
  },
  preview: 'چگونه دیده می‌شود',
  previewOf: 'سکو',
  previewNone: 'اعلان ندارد: تنها درون برنامه دریافت می‌شود.',
  facts: 'جزئیات',
  fact: {
    id: 'شناسهٔ پیام',
    audience: 'گیرندگان',
    channel: 'کانال',
    campaign: 'کمپین',
    product: 'نوع',
    expires: 'انقضا',
    clientId: 'clientId',
    flags: 'گزینه‌ها',
    data: 'داده',
    codes: 'کدهای داده‌شده',
  },
  products: { message: 'پیام، تا انقضا می‌ماند', notification: 'تنها اعلان' },
  flags: {
    inApp: 'تنها درون برنامه',
    live: 'تنها به کسانی که برنامه را باز دارند',
    autoNotify: 'خود سکو نمایش می‌دهد',
    useAsAlert: 'متن پیام متن اعلان است',
    silent: 'بی‌صدا',
  },
  defaultChannel: 'پیش‌فرض',
  moreUsers: (_count, shown) => `و ${shown} تای دیگر`,
  atLeast: (count) => `بیش از ${count}`,
  deliveries: 'دستگاه به دستگاه',
  deliveriesLead: 'برای هر دستگاه یک سطر. یکی را باز کنید تا سرگذشتش را بخوانید.',
  state: 'وضعیت',
  anyState: 'هر وضعیتی',
  reason: 'علت',
  anyReason: 'هر علتی',
  user: 'کاربر',
  device: 'دستگاه',
  way: 'راه',
  detail: 'پاسخ',
  changed: 'آخرین تغییر',
  guest: 'بدون کاربر',
  noDeliveries: 'دستگاهی پیدا نشد.',
  notExpanded: 'فهرست با آغاز ارسال پدیدار می‌شود.',
  ways: { fcm: 'FCM', apns: 'APNs', webpush: 'Web Push', connection: 'اتصال خودمان', inbox: 'صندوق' },
  story: 'برای یک کاربر چه شد',
  storyHint: 'شناسهٔ کاربر',
  storyAsk: 'سرگذشت را بگو',
  storyOf: (user) => `سرگذشت ${user}`,
  storyNone: 'این کاربر دستگاهی ندارد.',
  toUser: 'صفحهٔ کاربر',
  tell: storyFa,
  kindsOfStory: {
    accepted: 'پذیرفته شد',
    matched: 'برای این دستگاه بود',
    'not-matched': 'برای این دستگاه نبود',
    path: 'از کدام راه',
    attempt: 'تلاش شد',
    sent: 'فرستاده شد',
    receipt: 'گزارش دستگاه',
    paused: 'متوقف شد',
    expired: 'منقضی شد',
    waiting: 'در انتظار',
    ended: 'نرسید',
    uninstalled: 'حذف شد',
  },
}
