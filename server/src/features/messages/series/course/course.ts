import type { LocalTime } from '../../local-time/local-time.ts'

/** Whose clock counts for users of whom none is known, and what becomes of those for whom the first time has passed. */
export type SeriesLocalTime = Required<Pick<LocalTime, 'zone' | 'late'>>

/** When the occurrences of a series are. */
export interface Course {
  /** A rule of RFC 5545, without COUNT and UNTIL. */
  rule: string
  /** Whose clock and calendar the rule is about. With a local time these are the first clocks on earth: its moments are then those of the first users. */
  zone: string
  /** It goes at the time on each user's own clock. */
  localTime?: SeriesLocalTime | undefined
  startsAt: Date
  /** None is later. */
  until: Date | undefined
  /** How many there are. */
  times: number | undefined
}
