import sql from 'sql-template-tag'
import type { Database } from './store.ts'

const lookAgainMs = 10_000

/**
 * The database's time, asked for seldom and measured on by the monotonic clock in between: whatever becomes of this
 * machine's own clock, what is compared with stored times stays right.
 */
export class StoreClock {
  private readonly database: Database
  private seenAt: number
  private seenAtMs = performance.now()
  private hasLooked = false

  /** `now` counts until the database was asked. */
  constructor(database: Database, now: () => Date) {
    this.database = database
    this.seenAt = now().getTime()
  }

  /** Asks when that was long ago: to be called often. */
  async look(): Promise<void> {
    if (this.hasLooked && performance.now() - this.seenAtMs < lookAgainMs) return
    const [row] = await this.database.query<{ at: Date }>(sql`select clock_timestamp() as at`, 'read-clock')
    if (!row) return
    this.seenAt = row.at.getTime()
    // The question may have waited for a connection: the answer is from just now.
    this.seenAtMs = performance.now()
    this.hasLooked = true
  }

  now(): Date {
    return new Date(this.seenAt + performance.now() - this.seenAtMs)
  }
}
