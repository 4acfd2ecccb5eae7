const HOUR = 3_600_000
const DAY = 24 * HOUR
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** A rule in parts. Only what it names is said. */
export interface Parts {
  FREQ: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY'
  INTERVAL?: number
  BYMONTH?: number[]
  BYYEARDAY?: number[]
  BYMONTHDAY?: number[]
  BYDAY?: string[]
  BYHOUR?: number[]
  BYSETPOS?: number[]
  WKST?: string
}

export function writeRule(parts: Parts): string {
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}

/**
 * What a rule gives on a clock that never changes: every hour from the start on is asked whether it fits. Slow, and
 * written from RFC 5545 alone, to be compared with what the product does.
 */
export function clockTimes(parts: Parts, start: number, until: number): number[] {
  const found: number[] = []
  const inSecondOfHour = start % HOUR
  const first = periodOf(parts, start)
  let period: number[] = []
  let number = first
  const endPeriod = () => {
    if ((number - first) % (parts.INTERVAL ?? 1) === 0) found.push(...choose(period, parts.BYSETPOS))
    period = []
  }
  // What is chosen of a period is known when all of it is.
  const around = parts.BYSETPOS ? 400 * DAY : 0
  for (let at = start - (start % DAY) - around + inSecondOfHour; at <= until + around; at += HOUR) {
    if (periodOf(parts, at) !== number) {
      endPeriod()
      number = periodOf(parts, at)
    }
    if (number >= first && fits(parts, at, start)) period.push(at)
  }
  endPeriod()
  return found.filter((at) => at >= start && at <= until)
}

function choose(period: readonly number[], places: readonly number[] | undefined): number[] {
  if (!places) return [...period]
  return period.filter((_, index) => places.includes(index + 1) || places.includes(index - period.length))
}

function periodOf({ FREQ, WKST = 'MO' }: Parts, at: number): number {
  const date = new Date(at)
  if (FREQ === 'YEARLY') return date.getUTCFullYear()
  if (FREQ === 'MONTHLY') return date.getUTCFullYear() * 12 + date.getUTCMonth()
  // 5 January 1970 was a Monday.
  if (FREQ === 'WEEKLY') return Math.floor((Math.floor(at / DAY) - 4 - weekdays.indexOf(WKST)) / 7)
  return Math.floor(at / (FREQ === 'DAILY' ? DAY : HOUR))
}

function fits(parts: Parts, at: number, start: number): boolean {
  const [date, first] = [new Date(at), new Date(start)]
  const { FREQ, BYMONTH, BYMONTHDAY, BYYEARDAY, BYDAY, BYHOUR } = parts
  const isDayNamed = Boolean(BYMONTHDAY ?? BYYEARDAY ?? BYDAY)
  if (BYMONTH && !BYMONTH.includes(date.getUTCMonth() + 1)) return false
  if (FREQ === 'YEARLY' && !BYMONTH && !isDayNamed && date.getUTCMonth() !== first.getUTCMonth()) return false
  if ((FREQ === 'YEARLY' || FREQ === 'MONTHLY') && !isDayNamed && date.getUTCDate() !== first.getUTCDate()) return false
  if (FREQ === 'WEEKLY' && !BYDAY && date.getUTCDay() !== first.getUTCDay()) return false
  if (BYMONTHDAY && !isPlace(BYMONTHDAY, date.getUTCDate(), lengthOf(date, 'month'))) return false
  if (BYYEARDAY && !isPlace(BYYEARDAY, dayOfYear(date), lengthOf(date, 'year'))) return false
  if (BYDAY && !BYDAY.some((each) => isDay(each, date, FREQ === 'YEARLY' && !BYMONTH ? 'year' : 'month'))) return false
  if (BYHOUR) return BYHOUR.includes(date.getUTCHours())
  return FREQ === 'HOURLY' || date.getUTCHours() === first.getUTCHours()
}

function isPlace(places: readonly number[], place: number, of: number): boolean {
  return places.includes(place) || places.includes(place - of - 1)
}

function isDay(said: string, date: Date, within: 'month' | 'year'): boolean {
  if (!said.endsWith(weekdays[(date.getUTCDay() + 6) % 7] as string)) return false
  if (said.length === 2) return true
  const place = within === 'month' ? date.getUTCDate() : dayOfYear(date)
  const [fromStart, fromEnd] = [Math.ceil(place / 7), -Math.ceil((lengthOf(date, within) - place + 1) / 7)]
  return [fromStart, fromEnd].includes(Number(said.slice(0, -2)))
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1
}

function lengthOf(date: Date, what: 'month' | 'year'): number {
  if (what === 'year') return dayOfYear(new Date(Date.UTC(date.getUTCFullYear(), 11, 31)))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

/** The moment at which a clock shows a time, found without Temporal. */
export function momentShown(time: number, zone: string): number {
  const [early, late] = [time - offsetAt(time - 1.5 * DAY, zone), time - offsetAt(time + 1.5 * DAY, zone)]
  const shown = [early, late].filter((at) => at + offsetAt(at, zone) === time)
  return shown.length > 0 ? Math.min(...shown) : early
}

/** By how much a clock is ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const names = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  const parts = clockIn(zone).formatToParts(at)
  const [year, month, day, hour, minute, second] = names.map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  )
  return Date.UTC(year as number, (month as number) - 1, day, hour, minute, second) - at
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockIn(zone: string): Intl.DateTimeFormat {
  const numeric = 'numeric' as const
  const date = { year: numeric, month: numeric, day: numeric }
  const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' as const }
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...date, ...time })
  clocks.set(zone, clock)
  return clock
}
