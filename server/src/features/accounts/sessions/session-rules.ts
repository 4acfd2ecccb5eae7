const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Without a visit a session ends after the first, and in any case after the second. */
const idleMs = 14 * DAY
const longestMs = 60 * DAY
/** Noted no more often than this. */
export const touchEveryMs = 10 * 60_000
export const linkMs = 24 * HOUR
const choosePasswordMs = HOUR

export function expiryOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(Number(now) + idleMs, Number(createdAt) + longestMs))
}

/** Who came by a link may not know a password: for a while the link stands for it. */
export function mayChoosePassword(session: { byLink: boolean; createdAt: Date }, now: Date): boolean {
  return session.byLink && Number(now) - Number(session.createdAt) < choosePasswordMs
}
