const DAY = 86_400_000

/** UTC days as the database writes them (2026-01-31), the oldest first; the last is the day of `now`. */
export function listDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayAt(now.getTime() - (count - 1 - index) * DAY))
}

export function dayAt(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Days that a page looks at, today so far among them, and as many before them to compare with. */
export interface Period {
  days: string[]
  /** As many days right before them. */
  beforeDays: string[]
  /** The first of these. */
  beforeFrom: string
  /** The last of them, the counterpart of today. */
  beforeTo: string
  /** How much of today has passed, as a share of the day. */
  passed: number
  from: string
  to: string
}

export function periodOf(now: Date, count: number): Period {
  const all = listDays(now, 2 * count)
  const [beforeDays, days] = [all.slice(0, count), all.slice(count)]
  const [beforeFrom, beforeTo] = [beforeDays[0] as string, beforeDays.at(-1) as string]
  const passed = (now.getTime() % DAY) / DAY
  return { days, beforeDays, beforeFrom, beforeTo, passed, from: days[0] as string, to: days.at(-1) as string }
}

/**
 * How much of a day before counts in the comparison. The counterpart of today is cut at the same moment of the day: days are
 * counted as a whole, so it counts by the share of today that has passed.
 */
export function shareOfDay({ beforeTo, passed }: Period, day: string): number {
  return day === beforeTo ? passed : 1
}
