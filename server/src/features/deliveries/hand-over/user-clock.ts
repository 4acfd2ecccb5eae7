const known = new Map<string, boolean>()
const mostKnown = 2_000

/** The first zone that exists; clients say what they like. */
export function userClock(zones: readonly string[], otherwise: string): string {
  return zones.find(isZone) ?? otherwise
}

/** Whether there is a time zone of this name. */
export function isZone(name: string): boolean {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  if (known.size >= mostKnown) known.clear()
  const exists = tryZone(name)
  known.set(name, exists)
  return exists
}

function tryZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
