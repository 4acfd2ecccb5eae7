import type { TroubleReason } from '@peyk/contract'
import type { Outcome } from '../provider.ts'
import { troubleOf } from './trouble-of.ts'

export interface TroubleWatchOptions {
  now(): Date
  /** Answers when it is stored. */
  onTrouble(since: Date, reason: TroubleReason): Promise<void>
  onRecovered(): Promise<void>
}

/** A single failure is no trouble yet. */
const notedAfterMs = 5_000

/**
 * Follows whether a provider takes what is sent. It tells of a trouble when that has lasted for some seconds, again when
 * its reason changes, and of its end. What an earlier process left behind ends with the first push that is taken.
 */
export class TroubleWatch {
  private readonly options: TroubleWatchOptions
  private since: Date | undefined
  private told: TroubleReason | 'none' | undefined
  private telling: Promise<void> = Promise.resolve()

  constructor(options: TroubleWatchOptions) {
    this.options = options
  }

  see(outcome: Outcome): void {
    const trouble = troubleOf(outcome)
    if (trouble === undefined) return
    if (trouble === 'none') {
      this.since = undefined
      this.tell(trouble, () => this.options.onRecovered())
      return
    }
    const now = this.options.now()
    this.since ??= now
    const { since } = this
    if (now.getTime() - since.getTime() >= notedAfterMs)
      this.tell(trouble, () => this.options.onTrouble(since, trouble))
  }

  /** What was told is stored. */
  settled(): Promise<void> {
    return this.telling
  }

  private tell(trouble: TroubleReason | 'none', store: () => Promise<void>): void {
    if (this.told === trouble) return
    this.told = trouble
    this.telling = this.telling.then(store).catch(() => {
      if (this.told === trouble) this.told = undefined
    })
  }
}
