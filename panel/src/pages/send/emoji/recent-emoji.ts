const storageKey = 'peyk-recent-emoji'
const kept = 18

/** The signs that were picked lately in this browser, the last one first. */
export function readRecentEmoji(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((sign) => typeof sign === 'string').slice(0, kept) : []
  } catch {
    return []
  }
}

export function keepRecentEmoji(sign: string): void {
  const signs = [sign, ...readRecentEmoji().filter((other) => other !== sign)].slice(0, kept)
  try {
    localStorage.setItem(storageKey, JSON.stringify(signs))
  } catch {
    // Where nothing can be stored, none are recent.
  }
}
