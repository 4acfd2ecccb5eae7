/** The part of the time that a process counts as alive after which it has been out of touch itself. */
const longestGap = 0.5

/**
 * Whether this process has been in touch with the database for long enough to judge others. After the database was
 * away all are late and have lost their locks; whoever is back first waits until the others could be, too.
 */
export class StoreContact {
  private readonly aliveMs: number
  private sinceMs = Number.POSITIVE_INFINITY
  private lastMs = Number.NEGATIVE_INFINITY

  constructor(aliveMs: number) {
    this.aliveMs = aliveMs
  }

  /** The database has just answered. */
  note(nowMs: number): void {
    if (nowMs - this.lastMs > this.aliveMs * longestGap) this.sinceMs = nowMs
    this.lastMs = nowMs
  }

  isSteady(nowMs: number): boolean {
    return nowMs - this.lastMs <= this.aliveMs * longestGap && nowMs - this.sinceMs >= this.aliveMs
  }
}
