import type { QuietHours } from '@peyk/contract'
import { Temporal } from 'temporal-polyfill'

/**
 * When the quiet hours end that a moment is in, on the clock of a zone; undefined when it is in none. A time of day that
 * the clock skips is the moment after the gap, one that comes twice is the first.
 */
export function quietUntil(at: Date, zone: string, { from, to }: QuietHours): Date | undefined {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  const time = there.toPlainTime()
  const [begin, end] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)]
  const isAfterBegin = Temporal.PlainTime.compare(time, begin) >= 0
  const isBeforeEnd = Temporal.PlainTime.compare(time, end) < 0
  const isOverMidnight = Temporal.PlainTime.compare(begin, end) > 0
  if (!(isOverMidnight ? isAfterBegin || isBeforeEnd : isAfterBegin && isBeforeEnd)) return undefined
  const date = isBeforeEnd ? there.toPlainDate() : there.toPlainDate().add({ days: 1 })
  const endsAt = date.toZonedDateTime({ timeZone: zone, plainTime: end })
  return new Date(endsAt.epochMilliseconds)
}
