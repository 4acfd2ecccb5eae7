import type { Recipient } from '../payloads/compiled-push.ts'

type Written = NonNullable<Recipient['written']>

const maxKept = 10_000

/** Texts that are being written apart while whoever needs them does something else, and is told when they are there. */
export class LateTexts {
  private readonly begun = new Set<string>()
  private readonly done = new Map<string, Written>()

  /** What was written under this key, once. */
  take(key: string): Written | undefined {
    const written = this.done.get(key)
    this.done.delete(key)
    return written
  }

  /** Begins to write, unless that is under way already. Too many at once have to come again. */
  begin(key: string, recipient: Recipient, write: () => Promise<void>, onReady: () => void): void {
    if (this.begun.has(key) || this.begun.size >= maxKept) return
    this.begun.add(key)
    void write().then(() => {
      this.begun.delete(key)
      const [oldest] = this.done.size >= maxKept ? this.done.keys() : []
      if (oldest !== undefined) this.done.delete(oldest)
      if (recipient.written) this.done.set(key, recipient.written)
      onReady()
    })
  }
}
