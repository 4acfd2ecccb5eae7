import { type AnyNotification, type Repeat, show } from '@peyk/contract'
import { Temporal } from 'temporal-polyfill'
import { RequestError } from '#base/errors.ts'
import { firstZone } from '#base/time-zone.ts'
import { type LocalTime, readLocalTime } from '../../local-time/local-time.ts'
import { readMoment, readStartTime } from '../../schedule/read-send-time.ts'
import type { Course } from './course.ts'
import { occurrencesAfter } from './occurrences-after.ts'
import { readRule, ruleFault } from './read-rule.ts'

const SECOND = 1_000

/** When a rule begins; with a local time, for the first users. */
export interface Start {
  at: Date
  localTime?: Omit<LocalTime, 'local'> | undefined
}

/** `sendAt`, or now. Rules know no parts of a second. */
export function readStart(sendAt: AnyNotification['sendAt'], now: Date): Start {
  if (typeof sendAt === 'object' && sendAt !== null) {
    const { firstAt, localTime } = readLocalTime(sendAt, now)
    return { at: firstAt, localTime }
  }
  const at = readStartTime(sendAt, now) ?? now
  return { at: new Date(Math.ceil(at.getTime() / SECOND) * SECOND) }
}

/** Reads what is said of a repetition, and refuses what would never happen. The zone is the app's unless one is said. */
export function readCourse({ rule: sent, zone: given, until, count }: Repeat, start: Start, appZone: string): Course {
  const { at: startsAt, localTime } = start
  const zone = readZone(localTime?.zone || given || appZone)
  const { rule, ...own } = readRule(sent)
  const hasOwnEnd = own.count !== undefined || own.until !== undefined
  if (hasOwnEnd && (until !== undefined || count !== undefined)) {
    throw ruleFault('its end is said twice, by COUNT or UNTIL in it and by "until" or "count" beside it')
  }
  if (until !== undefined && count !== undefined) {
    throw fault('repeat.until', 'expected either "until" or "count", got both')
  }
  const course: Course = {
    rule,
    zone: localTime ? firstZone : zone,
    localTime: localTime && { zone, late: localTime.late },
    startsAt,
    until: readUntil(until, own.until, zone),
    times: count ?? own.count,
  }
  const endField = until === undefined ? 'repeat.rule' : 'repeat.until'
  if (course.until && course.until < startsAt) {
    throw fault(endField, `${course.until.toISOString()} is before the start, ${startsAt.toISOString()}`)
  }
  if (happens(course)) return course
  const hasOnlyEnded = course.until && happens({ ...course, until: undefined })
  throw hasOnlyEnded ? fault(endField, 'the rule does not happen before its end') : ruleFault('this never happens')
}

/** The first moments of it, for those who want to see them. */
export function firstMoments(course: Course, count: number): Date[] {
  const most = Math.min(count, course.times ?? count)
  const moments: Date[] = []
  for (const at of occurrencesAfter(course, new Date(course.startsAt.getTime() - 1))) {
    moments.push(at)
    if (moments.length >= most) break
  }
  return moments
}

function happens(course: Course): boolean {
  return firstMoments(course, 1).length > 0
}

function readUntil(sent: Repeat['until'], inRule: string | undefined, zone: string): Date | undefined {
  if (sent !== undefined) return readMoment(sent, 'repeat.until')
  return inRule === undefined ? undefined : readUntilInRule(inRule, zone)
}

/** [RFC 5545, 3.3.10] A moment of UTC, a time on the clock of the zone, or a whole day. */
function readUntilInRule(sent: string, zone: string): Date {
  const [, year, month, day, hour = '23', minute = '59', second = '59', isUtc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(sent) ?? []
  try {
    const time = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${minute}:${second}`)
    return new Date(time.toZonedDateTime(isUtc ? 'UTC' : zone).epochMilliseconds)
  } catch {
    throw ruleFault(`${show(sent)} is no value of UNTIL`)
  }
}

/** As it is written in the list of zones, whatever the case it came in. */
function readZone(sent: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(sent).timeZoneId
  } catch {
    throw fault('repeat.zone', `expected the name of a time zone, such as "Asia/Tehran", got ${show(sent)}`)
  }
}

function fault(field: string, what: string): RequestError {
  return new RequestError('invalid-request', `"${field}": ${what}.`, { details: { field } })
}
