import { backOffMs } from './back-off.ts'

/**
 * Tries again and again, with growing pauses, until the work is done. `wake` ends a pause: the network is back, or
 * there is new work. Two runs never overlap.
 */
export class Retry {
  private readonly work: () => Promise<boolean>
  private timer: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  private isRunning = false
  private isWanted = false

  /** The work answers whether it is done. */
  constructor(work: () => Promise<boolean>) {
    this.work = work
  }

  wake(): void {
    clearTimeout(this.timer)
    this.isWanted = true
    if (!this.isRunning) void this.run()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.isWanted = false
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.isWanted) {
      this.isWanted = false
      const isDone = await this.work().catch(() => false)
      this.failures = isDone ? 0 : this.failures + 1
      if (!isDone && !this.isWanted) this.timer = setTimeout(() => this.wake(), backOffMs(this.failures))
    }
    this.isRunning = false
  }
}
