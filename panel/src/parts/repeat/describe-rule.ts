import type { Texts } from '../../texts/en.ts'
import type { Format } from '../../texts/format.ts'

type Words = Texts['series']['words']
type Repeat = { rule: string; zone: string }

const periods: Record<string, 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'> = {
  HOURLY: 'hourly',
  DAILY: 'daily',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  YEARLY: 'yearly',
}
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/** What is said of each frequency; a rule with other parts is shown as it is. */
const simple: Record<string, readonly string[]> = { WEEKLY: ['BYDAY'], MONTHLY: ['BYMONTHDAY', 'BYSETPOS'] }

/** A rule in words, where it is one of the plain ones; undefined where it is not. */
export function describeRule(
  { rule, zone }: Repeat,
  start: number | { local: string },
  { words, format, locale }: { words: Words; format: Pick<Format, 'number' | 'list'>; locale: string },
): string | undefined {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]))
  const frequency = parts.get('FREQ') ?? ''
  const period = periods[frequency]
  const others = [...parts.keys()].filter((name) => name !== 'FREQ' && name !== 'INTERVAL' && name !== 'WKST')
  if (period === undefined || others.some((name) => !simple[frequency]?.includes(name))) return undefined
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const every = words[period](interval, format.number(interval))
  const onDays = describeDays(parts, every, { words, format, locale })
  if (onDays === undefined || frequency === 'HOURLY') return onDays
  const isLocal = typeof start === 'object'
  const clock = new Intl.DateTimeFormat(locale, {
    timeZone: isLocal ? 'UTC' : zone,
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return isLocal
    ? words.atLocal(onDays, clock.format(Date.parse(`${start.local}Z`)))
    : words.at(onDays, clock.format(start))
}

function describeDays(
  parts: Map<string, string>,
  every: string,
  { words, format, locale }: { words: Words; format: Pick<Format, 'number' | 'list'>; locale: string },
): string | undefined {
  const days = parts.get('BYDAY')?.split(',')
  if (days) return words.onDays(every, format.list(days.map((day) => nameDay(day, locale))))
  const dates = parts.get('BYMONTHDAY')?.split(',').map(Number)
  const isLastOf = parts.get('BYSETPOS')
  if (!dates) return isLastOf === undefined ? every : undefined
  const last = dates.at(-1) as number
  if (isLastOf === '-1' && dates.every((date, index) => date === last - dates.length + 1 + index))
    return words.onDayOrLast(every, format.number(last))
  if (isLastOf !== undefined || dates.length > 1) return undefined
  if (last === -1) return words.onLast(every)
  return last > 0 ? words.onDay(every, format.number(last)) : undefined
}

/** The day of the week, by its two letters. */
export function nameDay(day: string, locale: string): string {
  // 4 January 1970 was a Sunday.
  const at = Date.UTC(1970, 0, 4 + weekdays.indexOf(day))
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(at)
}
