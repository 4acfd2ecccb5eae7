const shownMonths = 12

/** This month and those before it, the newest first, as the service names them: 2026-11. A month is one of UTC. */
export function lastMonths(now: Date): string[] {
  return Array.from({ length: shownMonths }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
}

/** The months are those of the Gregorian calendar, in Persian too. */
export function monthName(month: string, language: string): string {
  const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
