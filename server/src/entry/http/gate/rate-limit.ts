/**
 * Counts per key in windows of fixed length. The windows of all keys begin together, so that one clear() forgets the
 * old ones and memory stays bounded by the keys of one window.
 */
export class RateLimit {
  readonly limit: number
  private readonly windowMs: number
  private readonly now: () => number
  private counts = new Map<string, number>()
  private windowEndsAt = 0

  constructor(limit: number, windowMs: number, now: () => number) {
    this.limit = limit
    this.windowMs = windowMs
    this.now = now
  }

  /** Takes one, or as many as given; answers how many are left, below zero when the limit is passed. */
  take(key: string, amount = 1): number {
    const now = this.now()
    if (now >= this.windowEndsAt) {
      this.counts.clear()
      this.windowEndsAt = now + this.windowMs
    }
    const count = (this.counts.get(key) ?? 0) + amount
    this.counts.set(key, count)
    return this.limit - count
  }

  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.windowEndsAt - this.now()) / 1000))
  }
}
