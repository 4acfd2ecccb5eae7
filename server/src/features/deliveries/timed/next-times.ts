import type { Database } from '#base/store/store.ts'
import { readNextTimes, type TimedWork } from './read-next-times.ts'

const allWork: readonly TimedWork[] = ['pace', 'due', 'expansion', 'recall']

/**
 * Knows when the next of what has a time is due, as far as one look ahead goes, so that one small question a second is all
 * that a process asks while there is nothing. What is due until the next look is known to the millisecond; what others leave
 * meanwhile is found by that look.
 */
export class NextTimes {
  private readonly database: Database
  private readonly aheadMs: number
  /** By `performance.now()`. All are due until the first look. */
  private readonly dueAt = new Map<TimedWork, number>(allWork.map((work) => [work, 0]))
  private looking: Promise<void> = Promise.resolve()

  /** `aheadMs`: how long it may take until the next look. */
  constructor(database: Database, aheadMs: number) {
    this.database = database
    this.aheadMs = aheadMs
  }

  isDue(work: TimedWork): boolean {
    return performance.now() >= (this.dueAt.get(work) ?? Number.POSITIVE_INFINITY)
  }

  /** One after the other: what an earlier one saw never takes the place of what a later one did. */
  look(): Promise<void> {
    this.looking = this.looking.catch(() => undefined).then(() => this.lookNow())
    return this.looking
  }

  private async lookNow(): Promise<void> {
    const next = await readNextTimes(this.database, this.aheadMs)
    const nowMs = performance.now()
    for (const work of allWork) this.dueAt.set(work, nowMs + (next[work] ?? Number.POSITIVE_INFINITY))
  }
}
