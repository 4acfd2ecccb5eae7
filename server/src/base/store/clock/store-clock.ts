import sql from 'sql-template-tag'
import { pairClocks } from '../../clock.ts'
import type { Database } from '../store.ts'

const lookAgainMs = 10_000
const asksPerMeasure = 5
/** The database's clock was put back by more: then the two would differ for too long. */
const longestHoldMs = 60_000

const clocks = new WeakMap<() => Date, StoreClock>()

/**
 * The database's time, asked for seldom and measured on by the monotonic clock in between: whatever becomes of this
 * machine's own clock, what is compared with stored times stays right. It does not step back: it stands still until the
 * database has caught up with it.
 */
export class StoreClock {
  private readonly database: Database
  private seenAt: number
  private seenAtMs = performance.now()
  private aheadMs = 0
  private lastMs = Number.NEGATIVE_INFINITY
  private hasLooked = false

  /** `now` counts until the database was asked. */
  constructor(database: Database, now: () => Date) {
    this.database = database
    this.seenAt = now().getTime()
    pairClocks(this.now, this.realNow)
    clocks.set(this.now, this)
  }

  /** The clock whose `now` this is; one of its own for any other. */
  static of(database: Database, now: () => Date): StoreClock {
    return clocks.get(now) ?? new StoreClock(database, now)
  }

  /** Asks when that was long ago: to be called often. */
  async look(): Promise<void> {
    if (this.hasLooked && performance.now() - this.seenAtMs < lookAgainMs) return
    await this.measure(1)
  }

  /** Asks some times and believes the quickest answer: whoever waited for a connection knows the time less well. */
  async measure(asks = asksPerMeasure): Promise<void> {
    let quickestMs = Number.POSITIVE_INFINITY
    for (let ask = 0; ask < asks; ask++) {
      const askedAtMs = performance.now()
      const [row] = await this.database.query<{ at: Date; ahead: number }>(
        sql`select clock_timestamp() as at, extract(epoch from peyk_now() - now())::float8 as ahead`,
        'read-clock',
      )
      const tookMs = performance.now() - askedAtMs
      if (!row) continue
      // Time put forward stays so: a smaller answer is from before.
      this.aheadMs = Math.max(this.aheadMs, row.ahead * 1_000)
      if (tookMs >= quickestMs) continue
      quickestMs = tookMs
      this.seenAt = row.at.getTime()
      // Waiting for a connection comes before the question: the answer is from just now.
      this.seenAtMs = performance.now()
    }
    if (!this.hasLooked) this.lastMs = Number.NEGATIVE_INFINITY
    this.hasLooked = true
  }

  /** The product's time. */
  readonly now = (): Date => {
    const ms = this.realMs() + this.aheadMs
    if (ms >= this.lastMs || this.lastMs - ms > longestHoldMs) this.lastMs = ms
    return new Date(this.lastMs)
  }

  /** The same without what a demonstration has added. */
  readonly realNow = (): Date => new Date(this.realMs())

  /** How far a demonstration has put the time forward. */
  get forwardMs(): number {
    return this.aheadMs
  }

  private realMs(): number {
    return this.seenAt + performance.now() - this.seenAtMs
  }
}
