import type { LocalTime as Sent } from '@peyk/contract'
import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { type ClockTime, findMoment, isTimeZone, momentsAnywhere, readClockTime } from '#base/time-zone.ts'

/** When a message is to go to each user: at this time on the user's own clock. */
export interface LocalTime {
  local: string
  /** For users of whom no zone is known; the app's unless given. */
  zone?: string
  /** What becomes of users whose time has passed already. */
  late: (typeof lateChoices)[number]
}

const lateChoices = ['now', 'nextDay', 'skip'] as const
const HOUR = 3_600_000
const DAY = 24 * HOUR
const daysAhead = 366

/** It starts when the first clocks on earth show that time, or now. */
export function readLocalTime(sent: Sent, now: Date): { dueAt: Date; firstAt: Date; localTime: LocalTime } {
  const { local, zone, late = 'now' } = sent
  if (/(Z|[+-]\d\d(:?\d\d)?)$/i.test(local.slice(10))) {
    throw fault('local', `expected a local time without an offset, such as "2026-12-01T09:00", got ${show(local)}`)
  }
  const time = readClockTime(local)
  if (!time) throw fault('local', `expected a date and a time, such as "2026-12-01T09:00", got ${show(local)}`)
  if (zone !== undefined && !isTimeZone(zone)) {
    throw fault('zone', `expected a time zone such as "Asia/Tehran", got ${show(zone)}`)
  }
  if (!isLateChoice(late)) {
    throw fault('late', `expected one of ${lateChoices.map((each) => show(each)).join(', ')}, got ${show(late)}`)
  }
  const { first, last } = momentsAnywhere(time)
  if (last.getTime() < now.getTime() - HOUR) throw fault('local', `${local} was more than an hour ago everywhere`)
  if (first.getTime() > now.getTime() + daysAhead * DAY) throw fault('local', `${local} is more than a year ahead`)
  const localTime = { local, ...(zone !== undefined && { zone }), late }
  return { dueAt: first > now ? first : now, firstAt: first, localTime }
}

function isLateChoice(late: string): late is LocalTime['late'] {
  return lateChoices.some((each) => each === late)
}

function fault(field: 'local' | 'zone' | 'late', what: string): RequestError {
  return new RequestError('invalid-request', `"sendAt.${field}": ${what}.`, { details: { field: `sendAt.${field}` } })
}

const mostDaysLater = 3

/**
 * When it goes to users in a zone, if it starts at `dueAt`: null when they are left out because their time had passed by
 * then, undefined when there is no such zone.
 */
export function momentOf({ local, late }: LocalTime, zone: string, dueAt: Date): Date | null | undefined {
  const time = clockTimeOf(local)
  const at = findMoment(time, zone)
  if (!at || at >= dueAt) return at
  if (late === 'now') return dueAt
  return late === 'skip' ? null : nextMoment(time, zone, dueAt)
}

/** The same time on the first day on which it is still to come. */
function nextMoment(time: ClockTime, zone: string, dueAt: Date): Date {
  for (let days = 1; days < mostDaysLater; days++) {
    const at = findMoment(time.add({ days }), zone)
    if (at && at >= dueAt) return at
  }
  return findMoment(time.add({ days: mostDaysLater }), zone) as Date
}

const longestDay = 25 * HOUR

/** Nobody gets it later than this. */
export function lastMoment({ local, late }: LocalTime, dueAt: Date): Date {
  const { first, last } = momentsAnywhere(clockTimeOf(local))
  const nextDay = late === 'nextDay' && first < dueAt ? dueAt.getTime() + longestDay : 0
  return new Date(Math.max(last.getTime(), dueAt.getTime(), nextDay))
}

function clockTimeOf(local: string): ClockTime {
  return readClockTime(local) as ClockTime
}
