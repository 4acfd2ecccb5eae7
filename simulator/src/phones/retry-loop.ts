/** What a step left: nothing to do, more to do, or something that has to wait. */
export type StepResult = 'idle' | 'again' | 'later'

const shortestPauseMs = 200
const longestPauseMs = 10_000

/**
 * Runs a step again and again while there is something to do, one at a time.
 *
 *   idle ──wake──▶ running ──later──▶ pausing (twice as long each time, and a bit of chance) ──▶ running
 *                     └────idle────▶ idle
 */
export class RetryLoop {
  private readonly step: () => Promise<StepResult>
  private isRunning = false
  private isWanted = false
  private isClosed = false
  private pauseMs = shortestPauseMs
  private timer: NodeJS.Timeout | undefined

  constructor(step: () => Promise<StepResult>) {
    this.step = step
  }

  /** There is something new to do. A pause goes on, unless the reason for it is over. */
  wake(options: { endPause?: boolean } = {}): void {
    if (options.endPause) {
      clearTimeout(this.timer)
      this.timer = undefined
      this.pauseMs = shortestPauseMs
    }
    this.isWanted = true
    if (!this.isRunning && this.timer === undefined && !this.isClosed) void this.run()
  }

  /** A step that is still going on has come through: the next pause is a short one again. */
  succeed(): void {
    this.pauseMs = shortestPauseMs
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  private async run(): Promise<void> {
    this.isRunning = true
    let result: StepResult = 'idle'
    while (this.isWanted && !this.isClosed) {
      this.isWanted = false
      result = await this.step()
      if (result === 'again') this.isWanted = true
      if (result === 'later') break
      this.pauseMs = shortestPauseMs
    }
    this.isRunning = false
    if (result === 'later' && !this.isClosed) this.pause()
  }

  private pause(): void {
    const waitMs = this.pauseMs * (1 + Math.random() / 2)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.wake()
    }, waitMs)
    this.timer.unref()
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs)
  }
}
