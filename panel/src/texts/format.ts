export interface Format {
  number(value: number): string
  compact(value: number): string
  percent(share: number): string
  money(amount: number, currency: string): string
  day(moment: Moment): string
  /** As a locked phone says it: the day of the week, day and month. */
  weekday(moment: Moment): string
  moment(moment: Moment): string
  /** With its seconds. */
  exactly(moment: Moment): string
  time(moment: Moment): string
  /** Hours and minutes. */
  clock(moment: Moment): string
  ago(moment: Moment): string
  bytes(count: number): string
  duration(seconds: number): string
  list(items: readonly string[]): string
  /** The name of a language by its tag. */
  language(tag: string): string
}

type Moment = string | number | Date

const locales = { en: 'en', fa: 'fa-IR' } as const

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export function createFormat(language: keyof typeof locales): Format {
  const locale = locales[language]
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
  const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' })
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  const unit = (value: number, name: string, unitDisplay: 'short' | 'long' = 'short') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 }).format(value)

  return {
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    percent: (share) => percent.format(share),
    money: (amount, currency) => {
      // Apps name currencies as they like: one that is not of ISO 4217 is written behind the number.
      if (!/^[A-Z]{3}$/.test(currency)) return `${number.format(amount)} ${currency}`.trim()
      return new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        // Amounts in one list have the same digits; large ones need no cents.
        ...(Number.isInteger(amount) && Math.abs(amount) >= 1_000 && { maximumFractionDigits: 0 }),
      }).format(amount)
    },
    // A day without a time is a day of UTC, wherever the member is.
    day: (value) =>
      typeof value === 'string' && value.length === 10
        ? utcDay.format(new Date(`${value}T00:00:00Z`))
        : day.format(new Date(value)),
    weekday: (value) => weekday.format(new Date(value)),
    moment: (value) => moment.format(new Date(value)),
    exactly: (value) => exact.format(new Date(value)),
    time: (value) => time.format(new Date(value)),
    clock: (value) => clock.format(new Date(value)),
    ago: (value) => {
      const seconds = (new Date(value).getTime() - Date.now()) / 1000
      for (const [name, length] of steps) {
        if (Math.abs(seconds) < length) continue
        return relative.format(name === 'day' ? daysUntil(new Date(value)) : Math.round(seconds / length), name)
      }
      return relative.format(Math.round(seconds), 'second')
    },
    bytes: (count) =>
      count < 1000
        ? unit(count, 'byte', 'long')
        : count < 1_000_000
          ? unit(count / 1000, 'kilobyte')
          : unit(count / 1_000_000, 'megabyte'),
    duration: (seconds) => {
      const [name, length] = steps.find(([, step]) => seconds >= step) ?? ['second', 1]
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: name,
        unitDisplay: 'long',
        // Nobody counts tenths of a minute.
        maximumFractionDigits: length <= 60 || seconds >= 10 * length ? 0 : 1,
      }).format(seconds / length)
    },
    list: (items) => list.format(items),
    language: (tag) => {
      try {
        return names.of(tag) ?? tag
      } catch {
        return tag
      }
    },
  }
}

/** By the calendar of the member: what is on the day after tomorrow is not "tomorrow". */
function daysUntil(moment: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  return Math.round((midnight(moment) - midnight(new Date())) / 86_400_000)
}
