const MS = 1_000

/** So many a second, a tenth of a second's worth at once. Slower after a quota answer, and back by a tenth a second. */
export class TokenBucket {
  private defaultRate: number
  private rate: number
  private tokens: number
  private filledAt: number
  private slowedAt = Number.NEGATIVE_INFINITY

  constructor(ratePerSecond: number, nowMs: number) {
    this.defaultRate = ratePerSecond
    this.rate = ratePerSecond
    this.tokens = ratePerSecond / 10
    this.filledAt = nowMs
  }

  take(nowMs: number): boolean {
    this.fill(nowMs)
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }

  /** What was taken is not needed after all. */
  giveBack(): void {
    this.tokens++
  }

  /** The rate itself is another from now on; what slowed it down still does. */
  setRate(ratePerSecond: number, nowMs: number): void {
    if (ratePerSecond === this.defaultRate) return
    this.fill(nowMs)
    this.rate *= ratePerSecond / this.defaultRate
    this.defaultRate = ratePerSecond
    this.tokens = Math.min(this.tokens, this.mostTokens)
  }

  msUntilNext(nowMs: number): number {
    this.fill(nowMs)
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) / this.rate) * MS)
  }

  /** Halves the rate, once for all answers of one moment. */
  slowDown(nowMs: number): void {
    if (nowMs - this.slowedAt < MS) return
    this.rate = Math.max(1, this.rate / 2)
    this.slowedAt = nowMs
  }

  private get mostTokens(): number {
    return Math.max(1, this.rate / 10)
  }

  private fill(nowMs: number): void {
    const seconds = (nowMs - this.filledAt) / MS
    if (seconds <= 0) return
    this.filledAt = nowMs
    if (this.rate < this.defaultRate && nowMs - this.slowedAt > MS)
      this.rate = Math.min(this.defaultRate, this.rate * 1.1 ** seconds)
    this.tokens = Math.min(this.mostTokens, this.tokens + seconds * this.rate)
  }
}
