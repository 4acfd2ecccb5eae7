import type { messagesEn } from '../en/messages.ts'
import { cancelFa } from './messages/cancel.ts'
import { recallFa } from './messages/recall.ts'
import { scheduledFa } from './messages/scheduled.ts'
import { verdictFa } from './messages/verdict.ts'
import { timelineFa } from './timeline.ts'

const devices = (_count: number, shown: string) => `${shown} دستگاه`

/** The texts of messages in Persian. */
export const messagesFa: typeof messagesEn = {
  ...cancelFa,
  lead: 'همهٔ پیام‌های ارسال‌شده، از جدید به قدیم.',
  send: 'پیام جدید',
  none: 'هنوز پیامی نیست',
  noneText: 'پیام‌هایی که از اینجا یا با API می‌فرستید در این فهرست دیده می‌شوند.',
  noneFound: 'پیامی پیدا نشد',
  noneFoundText:
    'با شناسهٔ پیام، شناسهٔ کمپین، clientId، شناسهٔ کاربر یا کلمه‌های یک پیام گروهی جست‌وجو کنید. کلمه‌ها در ۲٬۰۰۰ پیام گروهی آخر جست‌وجو می‌شوند.',
  clear: 'پاک کردن جست‌وجو',
  search: 'جست‌وجوی پیام‌ها',
  searchHint: 'کلمه، شناسهٔ کاربر، شناسهٔ کمپین یا شناسهٔ پیام',
  kind: 'مخاطب',
  kinds: { all: 'همه', group: 'گروهی', personal: 'به کاربران مشخص', scheduled: 'زمان‌بندی‌شده' },
  message: 'پیام',
  to: 'گیرنده',
  when: 'زمان ارسال',
  status: 'وضعیت',
  delivered: 'تحویل‌شده',
  opened: 'بازشده',
  deliveredHint: 'دستگاه‌هایی که دریافت پیام را تأیید کرده‌اند، نسبت به دستگاه‌هایی که پیام برایشان ارسال شده است.',
  openedHint:
    'دستگاه‌هایی که کاربر در آن‌ها روی اعلان یا یکی از دکمه‌هایش زده است، نسبت به دستگاه‌هایی که پیام به آن‌ها تحویل شده است.',
  devices,
  silent: 'بی‌صدا، بدون اعلان',
  noText: 'بدون متن',
  toUsers: (_count, shown) => `${shown} کاربر`,
  toChannel: (channel) => `کانال ${channel}`,
  toEverybody: 'همه',
  toGroup: 'کاربران بر اساس شرط',
  scheduled: scheduledFa,
  statuses: {
    scheduled: 'زمان‌بندی‌شده',
    waiting: 'در انتظار',
    sending: 'در حال ارسال',
    pausing: 'در حال توقف',
    paused: 'متوقف',
    stopped: 'توقف همه',
    stopping: 'در حال لغو',
    cancelled: 'لغوشده',
    tooLate: 'لغو دیرهنگام',
    recalled: 'پس‌گرفته‌شده',
    done: 'پایان‌یافته',
    nobody: 'بدون گیرنده',
  },
  progress: (done, total) => `${done} از ${total}`,
  inInbox: (_count, shown) => `${shown} تا منتظر دستگاه خود هستند`,
  waitingUntil: 'در انتظار وقت محلی کاربران',
  progressLabel: 'پیشرفت',
  eta: (duration) => `حدود ${duration} مانده`,
  rate: (perSecond) => `${perSecond} در ثانیه`,
  pace: (perMinute) => `حداکثر ${perMinute} در دقیقه`,
  notThere: 'پیام پیدا نشد',
  notThereText: 'شاید قدیمی‌تر از مدت نگهداری داده باشد، یا متعلق به برنامهٔ دیگری.',
  toList: 'همهٔ پیام‌ها',
  pause: 'توقف موقت',
  resume: 'ادامهٔ ارسال',
  cancel: 'لغو ارسال',
  cancelTitle: 'ارسال لغو شود؟',
  cancelConfirm: 'لغو ارسال',
  paused: (kept, inFlight, show) => {
    if (kept + inFlight === 0) return 'برای توقف دیر بود: همهٔ پیام‌ها ارسال شده بود.'
    const rest = inFlight > 0 ? ` ارسال به ${show(inFlight)} دستگاه در همان لحظه در جریان بود.` : ''
    if (kept === 0) return `در حال توقف.${rest}`
    return `متوقف شد: ${show(kept)} دستگاه منتظر می‌مانند.${rest}`
  },
  resumed: 'ارسال ادامه یافت.',
  stopNote: {
    pausing: (inFlight, show) =>
      `ارسال به ${show(inFlight)} دستگاه در جریان است. آنچه به سرویس‌دهنده رسیده دیگر متوقف نمی‌شود؛ بقیه منتظر می‌مانند.`,
    pausedSms: 'پیامک‌های جایگزین آن تا ادامهٔ ارسال منتظر می‌مانند.',
    paused: (kept, inFlight, show) =>
      `${show(kept)} دستگاه تا ادامهٔ ارسال منتظر می‌مانند.${
        inFlight > 0
          ? ` پیام ${show(inFlight)} دستگاه پیش از توقف به دست سرویس‌دهنده رسیده بود و با پاسخ آن «ارسال‌شده» حساب می‌شود.`
          : ''
      }`,
    stopping: (cancelled, inFlight, show) =>
      `${cancelled > 0 ? `${show(cancelled)} دستگاه آن را دریافت نمی‌کنند. ` : ''}پیام ${show(inFlight)} دستگاه نزد سرویس‌دهنده یا در راه آن است؛ نتیجه‌اش تا چند لحظهٔ دیگر مشخص می‌شود.`,
    cancelled: (cancelled, others, show) =>
      others === 0
        ? 'پیش از ارسال لغو شد.'
        : `در میانهٔ ارسال لغو شد: ${show(cancelled)} دستگاه آن را دریافت نکردند و برای ${show(others)} دستگاه دیر بود.`,
    tooLate: (total, show) => `دیر لغو شد: پیام به هر ${show(total)} دستگاه ارسال شده بود.`,
  },
  recall: recallFa,
  verdict: verdictFa,
  test: 'ارسال آزمایشی',
  again: 'ارسال دوباره',
  funnel: 'قیف تحویل',
  ofStep: {
    accepted: (share) => `${share} از پذیرفته‌شده‌ها`,
    sent: (share) => `${share} از ارسال‌شده‌ها`,
    delivered: (share) => `${share} از تحویل‌شده‌ها`,
  },
  gaps: {
    waiting: (count) => `${count} در انتظار: در صف ارسال، یا تا وصل شدن دستگاه`,
    notSent: (count) => `${count} ارسال نشد؛ علت‌ها در ادامه`,
    confirming: (count) => `${count} در انتظار تأیید دستگاه`,
    unconfirmed: (count) => `${count} ارسال‌شده، تأییدنشده: کتابخانهٔ کلاینت ندارد یا آفلاین است`,
    notShown: (count) => `${count} تحویل‌شده، بدون نمایش: درون برنامه دریافت شده یا هنوز نمایش داده نشده`,
    acted: (count) => `${count} با دکمه`,
    dismissed: (count) => `${count} کنار زده‌شده`,
  },
  steps: {
    accepted: 'پذیرفته‌شده',
    sent: 'ارسال‌شده',
    delivered: 'تحویل‌شده',
    shown: 'نمایش‌داده‌شده',
    opened: 'بازشده',
  },
  stepHints: {
    accepted: 'دستگاه‌هایی که پیام به آن‌ها می‌رود، در لحظهٔ پذیرش پیام.',
    sent: 'تحویل سرویس‌دهنده یا اتصال زنده شد.',
    delivered:
      'دستگاه دریافت آن را تأیید کرد. دستگاه بدون کتابخانهٔ کلاینت هرگز تأیید نمی‌کند؛ شاید به بعضی از آن‌ها هم رسیده باشد.',
    shown: 'دستگاه اعلان را نمایش داد. نسبت به تحویل‌شده‌ها.',
    opened: 'کاربر روی آن یا یکی از دکمه‌هایش زد. نسبت به تحویل‌شده‌ها.',
    acted: 'کاربر یکی از دکمه‌هایش را زد. نسبت به بازشده‌ها.',
    dismissed: 'کاربر آن را کنار زد. نسبت به تحویل‌شده‌ها.',
  },
  missed: 'تحویل‌نشده',
  missedNone: 'تا الان تحویل ناموفقی نبوده است.',
  showReason: (title) => `${title}: نمایش دستگاه‌ها`,
  reasons: {
    expired: {
      title: 'منقضی شد',
      text: 'پیش از انقضا تحویل نشد. با انقضای دیرتر به دستگاه‌هایی که مدتی خاموش‌اند هم می‌رسد.',
    },
    gone: {
      title: 'برنامه حذف شده است',
      text: 'سرویس‌دهنده می‌گوید برنامه حذف شده است. این دستگاه‌ها حذف‌شده حساب می‌شوند و دفعهٔ بعد کنار گذاشته می‌شوند.',
    },
    refused: {
      title: 'رد شد',
      text: 'سرویس‌دهنده آن را نپذیرفت، یا کاربر خارج شده بود. برای دیدن پاسخ دقیق یک دستگاه را باز کنید.',
    },
    'no-provider': {
      title: 'بدون مسیر تحویل',
      text: 'دستگاه توکن پوش و اتصال زنده ندارد، یا اعتبارنامهٔ سرویس‌دهنده‌اش وارد نشده است. سرویس‌دهنده‌های پوش را در تنظیمات بررسی کنید.',
    },
    'not-in-channel': { title: 'عضو کانال نیست', text: 'پیام به کانالی رفته که دستگاه عضو آن نیست.' },
    'opted-out': {
      title: 'اعلان‌ها خاموش است',
      text: 'کاربر اجازهٔ اعلان نداده است. پیام درون برنامه همچنان به او می‌رسد.',
    },
    'promo-exhausted': {
      title: 'کد تخفیف نمانده بود',
      text: 'متن به کد نیاز دارد و کدی نمانده بود. کد بیشتری بارگذاری کنید و دوباره به این کاربران بفرستید.',
    },
    'promo-withheld': {
      title: 'کد تخفیف داده نشد',
      text: 'متن به کد نیاز دارد و برنامه به مهمان‌ها یا دستگاه‌های جدید کد نمی‌دهد.',
    },
    control: {
      title: 'گروه کنترل',
      text: 'این کاربران برای مقایسه چیزی نمی‌گیرند: در گروه کنترل همین پیام یا گروه کنترل برنامه هستند.',
    },
    unsubscribed: { title: 'نمی‌خواهد', text: 'کاربر پیام‌های این دسته را نمی‌خواهد.' },
    capped: {
      title: 'به سقف رسیده',
      text: 'کاربر به اندازهٔ سقف پیام گرفته است. برای دیدن آن پیام‌ها یک دستگاه را باز کنید.',
    },
    cancelled: { title: 'لغو شد', text: 'پیام پیش از ارسال به این دستگاه‌ها لغو شد.' },
    'no-phone': { title: 'شمارهٔ تلفن ندارد', text: 'پیامک ارسال نشد: کاربر شمارهٔ تلفن ندارد.' },
    unknown: {
      title: 'سرویس‌دهنده پاسخ نداد',
      text: 'سرویس‌دهنده به دو تلاش پاسخ نداد. شاید بعضی از این‌ها رسیده باشند.',
    },
    skipped: {
      title: 'وقت محلی گذشته بود',
      text: 'وقتی که برای پیام تعیین شده بود در ساعت این کاربران گذشته بود و قرار بود کنار گذاشته شوند.',
    },
  },
  opens: 'باز شدن در طول زمان',
  whenOpened: ({ total, halfHours }, show) => {
    if (total === 0) return 'هنوز باز نشده'
    if (halfHours !== undefined) return `نیمی از باز شدن‌ها در ${show(halfHours)} ساعت اول بود`
    return `${show(total)} بار باز شد`
  },
  noOpensThen: 'در ۴۸ ساعت اول باز نشد.',
  opensLead: 'زمان باز شدن: با زدن روی اعلان یا یکی از دکمه‌هایش.',
  byHour: '۴۸ ساعت اول',
  byDay: 'روزانه',
  tapped: 'لمس اعلان',
  actedShort: 'زدن دکمه',
  noOpens: 'هنوز کسی آن را باز نکرده است.',
  results: 'تبدیل‌ها',
  resultsLead: 'رویدادهای ۱۲ ساعت پس از باز شدن.',
  events: 'رویدادها',
  directEvents: (count) => `${count} مورد از آن‌ها بلافاصله پس از لمس`,
  revenue: 'درآمد',
  noRevenue: '–',
  actions: 'دکمه‌های زده‌شده',
  actionNoId: 'بدون شناسه',
  sms: 'پیامک جایگزین',
  smsStates: {
    waiting: 'در انتظار',
    cancelled: 'نیازی نشد',
    sending: 'در حال ارسال',
    sent: 'ارسال‌شده',
    refused: 'رد شد',
    unknown: 'بی‌پاسخ',
    'no-phone': 'بدون شماره',
    'no-provider': 'بدون درگاه پیامک',
    expired: 'منقضی',
    'over-limit': 'بیش از سقف روزانه',
  },
  preview: 'پیش‌نمایش',
  previewNone: 'اعلان ندارد: فقط درون برنامه دریافت می‌شود.',
  facts: 'جزئیات',
  fact: {
    id: 'شناسهٔ پیام',
    audience: 'گیرندگان',
    channel: 'کانال',
    campaign: 'کمپین',
    product: 'نوع',
    expires: 'انقضا',
    localTime: 'زمان ارسال',
    clientId: 'clientId',
    languages: 'زبان‌ها',
    flags: 'گزینه‌ها',
    data: 'داده',
    codes: 'کدهای تخفیف داده‌شده',
    approvedBy: 'تأیید شده توسط',
  },
  products: { message: 'پیام، تا انقضا می‌ماند', notification: 'فقط اعلان' },
  flags: {
    inApp: 'فقط درون برنامه',
    live: 'فقط به کسانی که برنامه را باز دارند',
    autoNotify: 'خود پلتفرم نمایش می‌دهد',
    useAsAlert: 'متن پیام متن اعلان است',
    silent: 'بی‌صدا',
  },
  defaultChannel: 'پیش‌فرض',
  moreUsers: (_count, shown) => `و ${shown} تای دیگر`,
  atLeast: (count) => `بیش از ${count}`,
  deliveries: 'دستگاه‌ها',
  deliveriesLead: 'برای دیدن تاریخچهٔ تحویل، یک دستگاه را باز کنید.',
  state: 'وضعیت',
  anyState: 'همهٔ وضعیت‌ها',
  reason: 'دلیل',
  anyReason: 'همهٔ دلیل‌ها',
  user: 'کاربر',
  device: 'دستگاه',
  way: 'مسیر تحویل',
  detail: 'پاسخ',
  changed: 'آخرین تغییر',
  guest: 'بدون کاربر',
  noDeliveries: 'دستگاهی پیدا نشد.',
  notExpanded: 'با شروع ارسال، دستگاه‌ها اینجا فهرست می‌شوند.',
  ways: { fcm: 'FCM', apns: 'APNs', webpush: 'Web Push', connection: 'اتصال زنده', inbox: 'صندوق پیام' },
  story: 'تاریخچهٔ تحویل یک کاربر',
  timelineHint: 'شناسهٔ کاربر',
  timelineAsk: 'نمایش تاریخچه',
  timelineOf: (user) => `تاریخچهٔ تحویل ${user}`,
  confirming: 'ارسال شد. در انتظار تأیید دستگاه.',
  unconfirmed:
    'دستگاه هنوز آن را تأیید نکرده است. شاید خاموش یا آفلاین باشد، یا برنامه‌اش کتابخانهٔ کلاینت را که پیام‌ها را تأیید می‌کند نداشته باشد.',
  toUser: 'باز کردن کاربر',
  tell: timelineFa,
  kindsOfTimeline: {
    accepted: 'پذیرفته شد',
    matched: 'جزو مخاطبان',
    'not-matched': 'خارج از مخاطبان',
    language: 'زبان',
    variant: 'نسخه',
    path: 'مسیر تحویل',
    attempt: 'تلاش',
    sent: 'ارسال شد',
    receipt: 'گزارش دستگاه',
    paused: 'متوقف شد',
    expired: 'منقضی شد',
    waiting: 'در انتظار',
    ended: 'تحویل نشد',
    uninstalled: 'حذف شد',
  },
}
