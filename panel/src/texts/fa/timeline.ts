import type { timelineEn } from '../en/timeline.ts'

/** Names and rules stay as they are, whichever way the sentence runs. */
const apart = (text: string) => `\u2068${text}\u2069`

export const timelineFa: typeof timelineEn = {
  ways: { inbox: 'صندوق پیام', connection: 'اتصال خودمان', none: 'بدون راه' },
  outcomes: {
    accepted: 'آن را پذیرفت',
    gone: 'گفت که توکن از کار افتاده است',
    later: 'گفت بعداً دوباره تلاش شود',
    refused: 'آن را نپذیرفت',
    paused: 'اعتبارنامهٔ ما را نپذیرفت',
    unknown: 'پاسخی نداد',
  },
  reports: {
    delivered: 'دستگاه رسیدن آن را تأیید کرد.',
    shown: 'دستگاه آن را نمایش داد.',
    opened: 'پیام باز شد.',
    acted: 'دکمه‌ای زده شد.',
    dismissed: 'پیام کنار زده شد.',
  },
  ends: {
    expired: 'پیش از آن‌که تحویل داده یا دریافت شود منقضی شد.',
    gone: 'برنامه دیگر روی دستگاه نصب نیست.',
    refused: 'به این شکل نمی‌شد آن را فرستاد.',
    'no-provider': 'راهی به این دستگاه نیست.',
    'not-in-channel': 'دستگاه عضو کانال پیام نیست.',
    'opted-out': 'اعلان‌ها روی دستگاه مجاز نیستند.',
    'promo-exhausted': 'برای این کاربر کد تخفیفی نمانده بود.',
    'promo-withheld': 'برنامه به مهمان‌ها یا دستگاه‌هایی به این تازگی کد تخفیف نمی‌دهد.',
    cancelled: 'پیام پیش از فرستاده شدن لغو شد.',
    'no-phone': 'کاربر شمارهٔ تلفن ندارد.',
    unknown: 'معلوم نیست رسیده باشد: سرویس‌دهنده دو بار پاسخی نداد.',
  },
  own: {
    'uninstalled-before': 'برنامه پیش از فرستادن حذف شده بود',
    'other-user': 'حالا کاربر دیگری روی آن وارد شده است',
    'too-large-for-client': 'بزرگ‌تر از آن است که این دستگاه می‌پذیرد',
    'client-gone': 'پیام زنده بود و دستگاه دیگر وصل نبود',
  },
  sms: {
    waiting: 'اگر پیام تا سر وقت نرسد، پیامکی برای کاربر می‌رود.',
    cancelled: 'پیام پیش از زمان پیامک رسید.',
    sending: 'به درگاه سپرده شده و پاسخ آن هنوز نیامده است. دوباره فرستاده نمی‌شود.',
    sent: 'درگاه آن را پذیرفت.',
    refused: 'درگاه آن را نپذیرفت.',
    unknown: 'معلوم نیست رفته باشد: درگاه پاسخ روشنی نداد. دوباره فرستاده نمی‌شود.',
    'no-phone': 'کاربر شمارهٔ تلفن ندارد.',
    'no-provider': 'برنامه درگاه پیامک ندارد.',
    expired: 'پیام پیش از آن منقضی شد.',
    'over-limit': 'سقف روزانهٔ برنامه پر شده بود.',
  },
  plain: {
    'names-user': 'پیام برای این کاربر است و او روی این دستگاه وارد شده بود.',
    everybody: 'پیام به همه می‌رود.',
    'matched-then': 'هنگام یافتن دستگاه‌ها با همهٔ قاعده‌ها جور بود. حالا دیگر نیست.',
    'matches-only-now': 'حالا با قاعده‌ها جور است، اما هنگام یافتن دستگاه‌ها نبود.',
    'not-named': 'پیام برای این کاربر نیست.',
    'live-not-connected': 'پیام زنده به دستگاه‌هایی می‌رود که هنگام پذیرش متصل باشند؛ این یکی نبود.',
    'logged-out': 'کاربر از این دستگاه خارج شده بود.',
    'not-own-then': 'هنگام پذیرش پیام، این دستگاه از آنِ کاربر نبود.',
    'not-connected': 'نه از راه اتصال خودمان: دستگاه متصل نیست.',
    'looked-for': 'دستگاه‌های پیام هنوز پیدا می‌شوند.',
    'being-sent': 'همین حالا در حال فرستادن است.',
    'in-work-list': 'در صف کار است.',
    'message-paused': 'پیام متوقف شده بود.',
    'sending-stopped': 'کل ارسال متوقف شده بود.',
    'message-expired': 'پیام منقضی شده است و دیگر فرستاده نمی‌شود.',
    uninstalled: 'برنامه حذف شد.',
  },
  says: {
    accepted: ({ product, count }, { number }) =>
      `${product === 'notification' ? 'اعلان' : 'پیام'} برای ${number(count)} دستگاه پذیرفته شد.`,
    'all-rules': ({ count }, { number }) => `با همهٔ قاعده‌های پیام (${number(count)}) جور است.`,
    'taken-up': ({ count }, { number }) => `تا حالا ${number(count)} بار به دست گرفته شده است.`,
    'on-channel': ({ channel }) => `عضو کانال «${apart(channel)}» است.`,
    'outside-channel': ({ channel, own }) =>
      `پیام به کانال «${apart(channel)}» می‌رود. دستگاه عضو این‌هاست: ${own.map((name) => `«${apart(name)}»`).join('، ')}.`,
    'rule-fails': ({ rule, values }) =>
      `قاعدهٔ ${apart(rule)} برقرار نیست: این‌جا ${Object.entries(values)
        .map(([name, value]) =>
          value === null ? `${apart(name)} مقداری ندارد` : `${apart(name)} برابر ${apart(value)} است`,
        )
        .join('، ')}.`,
    path: ({ way, why, provider }, words) => {
      const name = timelineFa.ways[way] ?? words.provider(way)
      const because = words.why(why, provider)
      return because === undefined ? `${name}.` : `${name}: ${because}.`
    },
    'path-now': ({ way, why, provider }, words) => {
      const because = words.why(why, provider)
      return `حالا راه دیگری می‌بود: ${timelineFa.ways[way] ?? words.provider(way)}${because === undefined ? '' : ` (${because})`}.`
    },
    'path-chosen': ({ why, provider }, words) => `هنگام انتخاب راه: ${words.why(why, provider) ?? 'به گفتهٔ سرویس'}.`,
    'not-providers': ({ providers }, words) => `نه ${providers.map(words.provider).join(' و نه ')}: توکن از آن‌ها نیست.`,
    attempt: ({ provider, outcome, fault }, words) =>
      words.notReached(provider, fault) ??
      `${words.provider(provider)} ${timelineFa.outcomes[outcome] ?? apart(outcome)}.`,
    'provider-accepted': ({ provider }, words) =>
      `${provider === undefined ? 'سرویس‌دهنده' : words.provider(provider)} آن را پذیرفت.`,
    receipt: ({ receipt, actionId }, { button }) =>
      actionId === undefined
        ? (timelineFa.reports[receipt] ?? apart(receipt))
        : `دکمهٔ «${apart(button(actionId))}» زده شد.`,
    ended: ({ reason, because, provider }, words) => {
      const why = words.why(because, provider)
      return why === undefined ? timelineFa.ends[reason] : `${timelineFa.ends[reason]} ${why}.`
    },
    'provider-paused': ({ provider }, words) => `ارسال از راه ${words.provider(provider)} برای برنامه متوقف است.`,
    installations: ({ count, sent, waiting, ended, none }, { number }) =>
      `از ${number(count)} دستگاه: ${[
        ...(sent > 0 ? [`${number(sent)} فرستاده`] : []),
        ...(waiting > 0 ? [`${number(waiting)} در انتظار`] : []),
        ...(ended > 0 ? [`${number(ended)} نرسیده`] : []),
        ...(none > 0 ? [`${number(none)} بیرون از گیرندگان`] : []),
      ].join('، ')}.`,
    'no-installations': () => 'این کاربر دستگاهی ندارد.',
    'unknown-user': ({ user }) => `کاربری با شناسهٔ «${apart(user)}» نیست. نوشتنش را بررسی کنید.`,
    'registered-later': ({ at }, { moment }) => `پس از پذیرش پیام ثبت شد (${moment(at)}).`,
    'uninstalled-before': ({ at }, { moment }) => `برنامه حذف شده بود (${moment(at)}).`,
    'logged-in-later': ({ at }, { moment }) => `کاربر پس از پذیرش پیام روی آن وارد شد (${moment(at)}).`,
    'in-inbox': ({ at }, { moment }) => `تا دریافت شدن یا انقضا (${moment(at)}) در صندوق پیام می‌ماند.`,
    'tried-again': ({ at }, { moment }) => `دوباره تلاش می‌شود (${moment(at)}).`,
    expires: ({ at }, { moment }) => `انقضا: ${moment(at)}.`,
  },
}
