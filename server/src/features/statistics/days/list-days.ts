const DAY = 86_400_000

/** UTC days as the database writes them (2026-01-31), the oldest first; the last is the day of `now`. */
export function listDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayAt(now.getTime() - (count - 1 - index) * DAY))
}

export function dayAt(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Days that a page looks at, and as many before them to compare with. */
export interface Period {
  days: string[]
  /** The first day of those before. */
  beforeFrom: string
  /** The last of them that is compared: today is not over, so its counterpart is left out too. */
  beforeTo: string
  from: string
  to: string
}

export function periodOf(now: Date, count: number): Period {
  const all = listDays(now, 2 * count)
  const days = all.slice(count)
  const [beforeFrom, beforeTo] = [all[0] as string, all[count - 2] as string]
  return { days, beforeFrom, beforeTo, from: days[0] as string, to: days.at(-1) as string }
}
