import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { Course } from './course.ts'

const DAY = 86_400_000
/** A rule that does not happen for so long is taken to have ended. */
const horizonMs = 3_660 * DAY
const longestStretchMs = 366 * DAY
/** Hours of a thousand years: the library counts from the start on. What it has to look at is bounded by the stretch. */
const mostPeriods = 10_000_000
/** Clocks have been put forward by a day at most: so far back may stand what a moment is the time of. */
const longestGapMs = 25 * 3_600_000

/**
 * The moments of a course after another one, in their order. The rule is followed on the clock of its zone, as if that
 * never changed, and what it gives is then found on the real one: a time that the clock passes over is as much later
 * as the clock was put forward, and of a time that comes twice it is the first. Two that become one moment are one. What is
 * `before` or later is not looked for.
 */
export function* occurrencesAfter(course: Course, after: Date, before?: Date): Generator<Date> {
  const { startsAt, until, zone, localTime } = course
  const startOnClock = clockOf(startsAt, zone)
  const from = new Date(Math.max(after.getTime(), startsAt.getTime() - 1))
  const rule = new RRuleTemporal({
    rruleString: course.rule,
    dtstart: onClock(startOnClock),
    maxIterations: mostPeriods,
    cache: false,
  })
  let last = from.getTime()
  const horizon = clockOf(from, zone) + horizonMs
  const to = before ? Math.min(clockOf(before, zone) + longestGapMs, horizon) : horizon
  for (const shown of timesOnClock(rule, clockOf(from, zone) - longestGapMs, to)) {
    // Of two equal times on the clock, the second may be the start.
    const at = shown === startOnClock ? startsAt.getTime() : momentOf(shown, zone)
    if (until && (localTime ? momentOf(shown, localTime.zone) : at) > until.getTime()) return
    if (before && at >= before.getTime()) return
    if (at <= last) continue
    last = at
    yield new Date(at)
  }
}

/** A stretch of time after another, each twice as long as the one before: few are wanted, or it is rare. */
function* timesOnClock(rule: RRuleTemporal, from: number, to: number): Generator<number> {
  let lengthMs = 2 * DAY
  for (let begin = from; begin < to; begin += lengthMs, lengthMs = Math.min(2 * lengthMs, longestStretchMs)) {
    for (const time of rule.between(new Date(begin), new Date(begin + lengthMs - 1), true)) yield time.epochMilliseconds
  }
}

/** What the clock of a zone shows at a moment. */
export function shownAt(at: Date, zone: string): string {
  return new Date(clockOf(at, zone)).toISOString().slice(0, 19)
}

/** What the clock of a zone shows, in milliseconds, as if it were the one of UTC. */
function clockOf(at: Date, zone: string): number {
  const shown = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()
  return shown.toZonedDateTime('UTC').epochMilliseconds
}

function onClock(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')
}

function momentOf(ms: number, zone: string): number {
  return onClock(ms).toPlainDateTime().toZonedDateTime(zone).epochMilliseconds
}
