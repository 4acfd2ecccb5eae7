import { isTimeZone } from '../../../base/time-zone.ts'

/** The first zone that exists; clients say what they like. */
export function userClock(zones: readonly string[], otherwise: string): string {
  return zones.find(isTimeZone) ?? otherwise
}
