const providers: Record<string, string> = { fcm: 'گوگل (FCM)', apns: 'اپل (APNs)', webpush: 'مرورگر' }
const providerName = (name: string) => providers[name] ?? name

/** What the dry run says in English, by its pattern. What is not known here stays as it came. */
const reasons: readonly [RegExp, (...found: string[]) => string][] = [
  [/^its token is one of (\w+)$/, (name) => `توکن دستگاه از ${providerName(name ?? '')} است`],
  [/^the installation has no push token$/, () => 'دستگاه توکن پوش ندارد'],
  [/^notifications are not allowed on the device$/, () => 'کاربر اعلان‌ها را روی دستگاه بسته است'],
  [/^the app has no credentials for (\w+)$/, (name) => `برنامه برای ${providerName(name ?? '')} اعتبارنامه ندارد`],
  [/^the installation is not subscribed to the channel$/, () => 'دستگاه عضو این کانال نیست'],
  [/^it is silent: no notification$/, () => 'بی‌صداست و اعلانی ندارد'],
  [/^it is for the open app$/, () => 'فقط برای زمانی است که برنامه باز باشد'],
  [/^it is live and the app is open$/, () => 'زنده است و برنامه باز است'],
]

export function sayReason(sent: string): string {
  const waits = /^(.*?)[;,] it waits in the inbox$/.exec(sent)
  if (waits) return `${sayReason(waits[1] as string)}؛ در برنامه می‌ماند`
  for (const [pattern, say] of reasons) {
    const found = pattern.exec(sent)
    if (found) return say(...found.slice(1))
  }
  return sent
}

const warnings: readonly [RegExp, (...found: string[]) => string][] = [
  [/^Nobody receives it\.$/, () => 'کسی آن را دریافت نمی‌کند.'],
  [
    /^(\w+) is paused, with (\d+) installations? waiting: (.*)$/,
    (name, count, why) => `${providerName(name ?? '')} متوقف است و ${count} دستگاه منتظر می‌ماند: ${why}`,
  ],
  [
    /^Not sent to (\d+) installations?: (.*)\.$/,
    (count, why) => `به ${count} دستگاه فرستاده نمی‌شود: ${sayReason(why ?? '')}.`,
  ],
  [
    /^A sample for (\w+) on (\w+) would be refused: (.*)$/,
    (name, _platform, why) => `نمونه‌ای برای ${providerName(name ?? '')} رد می‌شود: ${why}`,
  ],
  [
    /^Not sent to (\d+) users?: there are not enough promo codes\.$/,
    (count) => `به ${count} کاربر فرستاده نمی‌شود: کد تخفیف کافی نیست.`,
  ],
  [
    /^The app has no SMS gateway: no substitute SMS is sent\.$/,
    () => 'برنامه درگاه پیامک ندارد: پیامک جایگزین فرستاده نمی‌شود.',
  ],
  [/^SMS is paused: (.*)$/, (why) => `پیامک متوقف است: ${why}`],
  [
    /^No substitute SMS for (\d+) users?: no phone number is known\.$/,
    (count) => `برای ${count} کاربر پیامکی نیست: شماره‌شان معلوم نیست.`,
  ],
]

export function sayWarning(sent: string): string {
  for (const [pattern, say] of warnings) {
    const found = pattern.exec(sent)
    if (found) return say(...found.slice(1))
  }
  return sent
}
