/** A day of the calendar, as `2026-11-18`: no moment, and of no zone. */
export type Day = string

/** How a language counts months and weeks. */
export interface CalendarSystem {
  calendar: 'gregory' | 'persian'
  /** 0 is Sunday. */
  firstWeekday: number
}

export const systems: Record<'en' | 'fa', CalendarSystem> = {
  en: { calendar: 'gregory', firstWeekday: 1 },
  fa: { calendar: 'persian', firstWeekday: 6 },
}

const persian = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', { day: 'numeric', timeZone: 'UTC' })
const longestMonth = 31

export function isDay(text: string | undefined): text is Day {
  return text !== undefined && /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** Midnight of the day in UTC: for arithmetic, and for formats of UTC. */
export function utcOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`)
}

export function addDays(day: Day, days: number): Day {
  const at = utcOf(day)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** The days from one until before another. */
export function daysBetween(from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day)
  return days
}

export function dayInMonth(day: Day, { calendar }: CalendarSystem): number {
  return calendar === 'gregory' ? utcOf(day).getUTCDate() : Number(persian.format(utcOf(day)))
}

export function startOfMonth(day: Day, system: CalendarSystem): Day {
  return addDays(day, 1 - dayInMonth(day, system))
}

export function startOfNextMonth(day: Day, system: CalendarSystem): Day {
  return startOfMonth(addDays(startOfMonth(day, system), longestMonth), system)
}

export function startOfWeek(day: Day, { firstWeekday }: CalendarSystem): Day {
  return addDays(day, -((utcOf(day).getUTCDay() - firstWeekday + 7) % 7))
}

/** The day that the member's clock shows at a moment. */
export function dayOf(moment: number): Day {
  const at = new Date(moment)
  return new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())).toISOString().slice(0, 10)
}

/** What the member's clock shows at a moment, in minutes. */
export function minutesOf(moment: number): number {
  const at = new Date(moment)
  return at.getHours() * 60 + at.getMinutes()
}

/** When the member's clock shows so many minutes on a day: of a time that it skips, as much later as it is put forward. */
export function momentOf(day: Day, minutes = 0): number {
  const at = utcOf(day)
  return new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), 0, minutes).getTime()
}
