import type { Logger } from '#base/log.ts'
import { runAsService } from '#base/store/pool/connection-scope.ts'
import type { Recipient } from '../payloads/compiled-push.ts'

type Written = NonNullable<Recipient['written']>

const maxKept = 10_000

/** Texts that are being written apart while whoever needs them does something else, and is told when they are there. */
export class PendingTexts {
  private readonly begun = new Set<string>()
  private readonly done = new Map<string, Written>()
  private readonly log: Pick<Logger, 'error'>

  constructor(log: Pick<Logger, 'error'>) {
    this.log = log
  }

  /** What was written under this key, once. */
  take(key: string): Written | undefined {
    const written = this.done.get(key)
    this.done.delete(key)
    return written
  }

  /** Begins to write, unless that is under way already. Too many at once, and those that failed, have to come again. */
  begin(key: string, recipient: Recipient, write: () => Promise<void>, onReady: () => void): void {
    if (this.begun.has(key) || this.begun.size >= maxKept) return
    this.begun.add(key)
    const keep = () => {
      this.begun.delete(key)
      const [oldest] = this.done.size >= maxKept ? this.done.keys() : []
      if (oldest !== undefined) this.done.delete(oldest)
      if (recipient.written) this.done.set(key, recipient.written)
      onReady()
    }
    const giveUp = (error: unknown) => {
      this.begun.delete(key)
      this.log.error({ err: error }, 'a text could not be written; it is written when it is asked for again')
    }
    void runAsService(write).then(keep, giveUp)
  }
}
