import type { timelineEn } from '../en/timeline.ts'

/** Names and rules stay as they are, whichever way the sentence runs. */
const apart = (text: string) => `\u2068${text}\u2069`

export const timelineFa: typeof timelineEn = {
  ways: { inbox: 'صندوق پیام', connection: 'اتصال زنده', none: 'بدون مسیر تحویل' },
  outcomes: {
    accepted: 'آن را پذیرفت',
    gone: 'گفت که توکن نامعتبر است',
    later: 'خواست بعداً دوباره تلاش شود',
    refused: 'آن را نپذیرفت',
    paused: 'اعتبارنامه را نپذیرفت',
    unknown: 'پاسخی نداد',
  },
  reports: {
    delivered: 'دستگاه دریافت آن را تأیید کرد.',
    shown: 'دستگاه آن را نمایش داد.',
    opened: 'پیام باز شد.',
    acted: 'دکمه‌ای زده شد.',
    dismissed: 'پیام کنار زده شد.',
  },
  ends: {
    expired: 'پیش از آنکه تحویل داده یا دریافت شود منقضی شد.',
    gone: 'برنامه دیگر روی دستگاه نصب نیست.',
    refused: 'به این شکل قابل ارسال نبود.',
    'no-provider': 'این دستگاه مسیر تحویل ندارد.',
    'not-in-channel': 'دستگاه عضو کانال پیام نیست.',
    'opted-out': 'اعلان‌ها روی دستگاه مجاز نیستند.',
    'promo-exhausted': 'برای این کاربر کد تخفیفی نمانده بود.',
    'promo-withheld': 'برنامه به مهمان‌ها یا دستگاه‌هایی به این تازگی کد تخفیف نمی‌دهد.',
    control: 'کاربر در گروه کنترل است و پیام‌های دسته‌بندی‌شده را نمی‌گیرد.',
    unsubscribed: 'کاربر پیام‌های این دسته را نمی‌خواهد.',
    capped: 'کاربر به اندازهٔ سقف تعیین‌شده در برنامه پیام گرفته است.',
    cancelled: 'پیام پیش از ارسال لغو شد.',
    'no-phone': 'کاربر شمارهٔ تلفن ندارد.',
    unknown: 'معلوم نیست رسیده باشد: سرویس‌دهنده به دو تلاش پاسخ نداد.',
    skipped: 'کنار گذاشته شد.',
  },
  own: {
    'uninstalled-before': 'برنامه پیش از ارسال حذف شده بود',
    'other-user': 'حالا کاربر دیگری روی آن وارد شده است',
    'too-large-for-client': 'بزرگ‌تر از آن است که این دستگاه می‌پذیرد',
    'client-gone': 'پیام زنده بود و دستگاه دیگر متصل نبود',
    'ends-in-quiet-hours': 'پیش از پایان ساعت‌های سکوت منقضی می‌شد',
    'own-control': 'کاربر در گروه شاهد همین پیام است',
    'ends-before-winner': 'پیش از مشخص شدن برندهٔ آزمون منقضی می‌شد',
  },
  sms: {
    waiting: 'اگر پیام تا آن زمان نرسد، پیامکی به کاربر ارسال می‌شود.',
    cancelled: 'پیام پیش از زمان پیامک رسید.',
    sending: 'به درگاه سپرده شده و هنوز پاسخی نیامده است. دوباره ارسال نمی‌شود.',
    sent: 'درگاه آن را پذیرفت.',
    refused: 'درگاه آن را نپذیرفت.',
    unknown: 'معلوم نیست ارسال شده باشد: درگاه پاسخ روشنی نداد. دوباره ارسال نمی‌شود.',
    'no-phone': 'کاربر شمارهٔ تلفن ندارد.',
    'no-provider': 'برنامه درگاه پیامک ندارد.',
    expired: 'پیام پیش از آن منقضی شد.',
    'over-limit': 'سقف روزانهٔ پیامک برنامه پر شده بود.',
  },
  plain: {
    'names-user': 'پیام برای این کاربر است و او روی این دستگاه وارد شده بود.',
    everybody: 'پیام برای همه است.',
    'matched-then': 'هنگام انتخاب دستگاه‌ها همهٔ شرط‌ها را داشت. الان دیگر ندارد.',
    'matches-only-now': 'الان شرط‌ها را دارد، اما هنگام انتخاب دستگاه‌ها نداشت.',
    'not-named': 'پیام برای این کاربر نیست.',
    'live-not-connected': 'پیام زنده به دستگاه‌هایی می‌رود که هنگام پذیرش متصل باشند؛ این یکی نبود.',
    'logged-out': 'کاربر از این دستگاه خارج شده بود.',
    'not-own-then': 'هنگام پذیرش پیام، این دستگاه متعلق به کاربر نبود.',
    'not-connected': 'نه از اتصال زنده: دستگاه متصل نیست.',
    'looked-for': 'دستگاه‌های پیام هنوز در حال انتخاب‌اند.',
    'being-sent': 'همین حالا در حال ارسال است.',
    'in-work-list': 'در صف ارسال است.',
    'waits-for-turn': 'منتظر نوبت است: این پیام با سرعت تعیین‌شده ارسال می‌شود.',
    'message-paused': 'پیام متوقف شده بود.',
    'sending-stopped': 'همهٔ ارسال‌ها متوقف شده بود.',
    'message-expired': 'پیام منقضی شده است و ارسال نمی‌شود.',
    uninstalled: 'برنامه حذف شد.',
  },
  says: {
    accepted: ({ product, count }, { number }) =>
      `${product === 'notification' ? 'اعلان' : 'پیام'} برای ${number(count)} دستگاه پذیرفته شد.`,
    'all-rules': ({ count }, { number }) => `همهٔ شرط‌های پیام (${number(count)}) را دارد.`,
    'taken-up': ({ count }, { number }) => `تا الان ${number(count)} بار تلاش شده است.`,
    'on-channel': ({ channel }) => `عضو کانال «${apart(channel)}» است.`,
    'outside-channel': ({ channel, own }) =>
      `پیام به کانال «${apart(channel)}» می‌رود. دستگاه عضو این‌هاست: ${own.map((name) => `«${apart(name)}»`).join('، ')}.`,
    'rule-fails': ({ rule, sent, values }, words) =>
      `یک شرط برقرار نیست: ${words.rule(sent) ?? apart(rule)}. اینجا ${Object.entries(values)
        .map(([name, json]) => words.own(name, json))
        .map(({ name, value }) =>
          value === undefined ? `${apart(name)} مقداری ندارد` : `${apart(name)} برابر ${apart(value)} است`,
        )
        .join('، ')}.`,
    language: ({ language, own = '' }) => `به زبان «${apart(language)}» است: زبان دستگاه «${apart(own)}» است.`,
    'plain-texts': ({ own }) =>
      own === undefined
        ? 'با متن‌های پیش‌فرض است: زبان دستگاه مشخص نیست.'
        : `با متن‌های پیش‌فرض است: پیام به زبان دستگاه («${apart(own)}») متنی ندارد.`,
    'language-then': ({ language, own }) =>
      `${language === 'default' ? 'با متن‌های پیش‌فرض' : `به زبان «${apart(language)}»`} ارسال شد. زبان دستگاه اکنون ${own === undefined ? 'مشخص نیست' : `«${apart(own)}» است`}.`,
    path: ({ way, why, provider }, words) => {
      const name = timelineFa.ways[way] ?? words.provider(way)
      const because = words.why(why, provider)
      return because === undefined ? `${name}.` : `${name}: ${because}.`
    },
    'path-now': ({ way, why, provider }, words) => {
      const because = words.why(why, provider)
      return `الان مسیر دیگری می‌بود: ${timelineFa.ways[way] ?? words.provider(way)}${because === undefined ? '' : ` (${because})`}.`
    },
    'path-chosen': ({ why, provider }, words) =>
      `هنگام انتخاب مسیر تحویل: ${words.why(why, provider) ?? 'به گفتهٔ سرویس'}.`,
    'not-providers': ({ providers }, words) => `نه ${providers.map(words.provider).join(' و نه ')}: توکن از آن‌ها نیست.`,
    attempt: ({ provider, outcome, fault }, words) =>
      words.notReached(provider, fault) ??
      `${words.provider(provider)} ${timelineFa.outcomes[outcome] ?? apart(outcome)}.`,
    'waited-for-quiet-hours': ({ from, to, zone, until }, { moment }) =>
      `تا پایان ساعت‌های سکوت (${apart(`${from}–${to}`)}، ${apart(zone)}) صبر کرد، ${moment(until)}.`,
    'waited-for-cap': ({ count, window, until }, { moment, number }) =>
      `کاربر در ${apart(window)} گذشته ${number(count)} پیام گرفته بود. تا مجاز شدن پیام بعدی صبر کرد، ${moment(until)}.`,
    'waited-for-winner': ({ until }, { moment }) => `منتظر برندهٔ آزمون ماند که زودتر از ${moment(until)} مشخص نمی‌شد.`,
    variant: ({ variant }) => `نسخهٔ ${apart(variant)}.`,
    'variant-won': ({ variant }) => `نسخهٔ ${apart(variant)} که برندهٔ آزمون شد.`,
    'provider-accepted': ({ provider }, words) =>
      `${provider === undefined ? 'سرویس‌دهنده' : words.provider(provider)} آن را پذیرفت.`,
    receipt: ({ receipt, actionId }, { button }) =>
      actionId === undefined
        ? (timelineFa.reports[receipt] ?? apart(receipt))
        : `دکمهٔ «${apart(button(actionId))}» زده شد.`,
    ended: ({ reason, because, provider }, words) => {
      const why = words.why(because, provider)
      if (because === 'own-control') return `${why}.`
      // The reason says as much.
      return why === undefined || because === 'notifications-off'
        ? timelineFa.ends[reason]
        : `${timelineFa.ends[reason]} ${why}.`
    },
    'provider-paused': ({ provider }, words) => `ارسال از طریق ${words.provider(provider)} برای برنامه متوقف است.`,
    installations: ({ count, sent, waiting, ended, none }, { number }) =>
      `از ${number(count)} دستگاه: ${[
        ...(sent > 0 ? [`${number(sent)} ارسال‌شده`] : []),
        ...(waiting > 0 ? [`${number(waiting)} در انتظار`] : []),
        ...(ended > 0 ? [`${number(ended)} تحویل‌نشده`] : []),
        ...(none > 0 ? [`${number(none)} خارج از مخاطبان`] : []),
      ].join('، ')}.`,
    'no-installations': () => 'این کاربر دستگاهی ندارد.',
    'unknown-user': ({ user }) => `کاربری با شناسهٔ «${apart(user)}» وجود ندارد. املای آن را بررسی کنید.`,
    'registered-later': ({ at }, { moment }) => `پس از پذیرش پیام ثبت شد (${moment(at)}).`,
    'uninstalled-before': ({ at }, { moment }) => `برنامه حذف شده بود (${moment(at)}).`,
    'logged-in-later': ({ at }, { moment }) => `کاربر پس از پذیرش پیام روی آن وارد شد (${moment(at)}).`,
    'in-inbox': ({ at }, { moment }) => `تا دریافت شدن یا انقضا (${moment(at)}) در صندوق پیام می‌ماند.`,
    'tried-again': ({ at }, { moment }) => `دوباره تلاش می‌شود (${moment(at)}).`,
    'local-time': ({ at }, { moment }) => `منتظر وقت محلی کاربر است (${moment(at)}).`,
    expires: ({ at }, { moment }) => `انقضا: ${moment(at)}.`,
  },
}
