import { Temporal } from 'temporal-polyfill'

/** A date and a time of day, as clocks show them; no offset. */
export type ClockTime = Temporal.PlainDateTime

const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/
const longestName = 64

/** Undefined where it is none, such as 30 February. */
export function readClockTime(text: string): ClockTime | undefined {
  if (!form.test(text)) return undefined
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * When clocks in a zone show a time. One that they skip is as much later as they are put forward (02:30 → 03:30), so that a
 * day that is left out is the next one; of one that they show twice, the first: Temporal's `compatible`. Undefined where
 * there is no such zone. An offset, such as "+03:30", is none.
 */
export function findMoment(time: ClockTime, zone: string): Date | undefined {
  if (!/^[A-Za-z]/.test(zone) || zone.length > longestName) return undefined
  try {
    return new Date(time.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const anyTime = Temporal.PlainDateTime.from('2000-01-01T00:00')

const zones = new Map<string, boolean>()
const mostZones = 2_000

/** Asked for every user who is sent something: what is known is not asked again. */
export function isTimeZone(name: string): boolean {
  if (name.length > longestName) return false
  const known = zones.get(name)
  if (known !== undefined) return known
  if (zones.size >= mostZones) zones.clear()
  const exists = findMoment(anyTime, name) !== undefined
  zones.set(name, exists)
  return exists
}

const HOUR = 3_600_000
const farthestEast = 14 * HOUR
const farthestWest = -12 * HOUR

/** The first clocks on earth, which are never changed. */
export const firstZone = 'Etc/GMT-14'

/** The first and the last moment at which clocks anywhere on earth show a time: those of UTC+14 and UTC−12. */
export function momentsAnywhere(time: ClockTime): { first: Date; last: Date } {
  const inUtc = findMoment(time, 'UTC')?.getTime() as number
  return { first: new Date(inUtc - farthestEast), last: new Date(inUtc - farthestWest) }
}
