import { type ClockTime, findMoment, readClockTime } from '#base/time-zone.ts'

/** A part of the calendar: from a moment until before another, in days of a zone. */
export interface Span {
  from: Date
  to: Date
  zone: string
}

const DAY = 86_400_000

/** Clocks are at most so far apart, from the first to the last on earth, and an hour more. */
export const aroundTheEarthMs = 27 * 3_600_000

/** Where something stands: with a local time, when clocks in the zone show it. */
export function placeOf(at: Date, localTime: { local: string } | undefined, zone: string): Date {
  if (!localTime) return at
  return findMoment(readClockTime(localTime.local) as ClockTime, zone) ?? at
}

/** The beginnings of all days that a span has a part of. Days on which clocks are changed are shorter or longer. */
export function daysOf({ from, to, zone }: Span): Date[] {
  const days: Date[] = []
  const first = readClockTime(`${dayIn(zone, from)}T00:00`) as ClockTime
  for (let ahead = 0; ; ahead++) {
    const day = findMoment(first.add({ days: ahead }), zone) as Date
    if (day >= to) return days
    days.push(day)
  }
}

/** The day that a moment is of, by its beginning; undefined before the first. */
export function dayOf(days: readonly Date[], at: Date): Date | undefined {
  const guess = Math.floor((at.getTime() - Number(days[0])) / DAY)
  for (let index = Math.min(guess + 1, days.length - 1); index >= 0; index--) {
    const day = days[index] as Date
    if (day <= at) return day
  }
  return undefined
}

function dayIn(zone: string, at: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
}
