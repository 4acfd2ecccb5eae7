import { backOffMs } from './back-off.ts'
import { PeykError } from './rest.ts'

/**
 * Tries again and again, with growing pauses, until the work is done. New work waits for the end of a pause; `wake`
 * ends one, because the network is back, but never one that the service asked for. Two runs never overlap.
 */
export class Retry {
  private readonly work: () => Promise<unknown>
  private timer: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  private notBefore = 0
  private isRunning = false
  private isStopped = false
  private hasNew = false
  private isWoken = false

  /** The work throws when it is not done. */
  constructor(work: () => Promise<unknown>) {
    this.work = work
  }

  /** There is something new to do. */
  add(): void {
    this.hasNew = true
    if (this.timer === undefined) void this.run()
  }

  /** It may work now, though it did not a moment ago. */
  wake(): void {
    if (Date.now() < this.notBefore) return
    this.isWoken = true
    void this.run()
  }

  stop(): void {
    this.isStopped = true
    this.endPause()
  }

  private async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    while ((this.hasNew || this.isWoken) && !this.isStopped) {
      this.endPause()
      this.hasNew = false
      this.isWoken = false
      try {
        await this.work()
        this.failures = 0
      } catch (error) {
        this.failures++
        const askedMs = error instanceof PeykError ? (error.retryAfterMs ?? 0) : 0
        if (this.isWoken && askedMs === 0) continue
        this.pause(askedMs)
        break
      }
    }
    this.isRunning = false
  }

  private pause(askedMs: number): void {
    if (this.isStopped) return
    this.notBefore = Date.now() + askedMs
    const end = () => {
      this.notBefore = 0
      this.wake()
    }
    this.timer = setTimeout(end, Math.max(askedMs, backOffMs(this.failures)))
  }

  private endPause(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
