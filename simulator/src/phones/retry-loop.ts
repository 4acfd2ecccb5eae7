/** What a step left: nothing to do, more to do, or something that has to wait. */
export type StepResult = 'idle' | 'again' | 'later'

const shortestPauseMs = 200
const longestPauseMs = 10_000

/** Does something after a while; answers how to call it off. */
export type Wait = (ms: number, then: () => void) => () => void

const waitReally: Wait = (ms, then) => {
  const timer = setTimeout(then, ms).unref()
  return () => clearTimeout(timer)
}

/**
 * Runs a step again and again while there is something to do, one at a time.
 *
 *   idle ──wake──▶ running ──later──▶ pausing (twice as long each time, and a bit of chance) ──▶ running
 *                     └────idle────▶ idle
 */
export class RetryLoop {
  private readonly step: () => Promise<StepResult>
  private readonly wait: Wait
  private isRunning = false
  private isWanted = false
  private isClosed = false
  private pauseMs = shortestPauseMs
  private endPause: (() => void) | undefined

  constructor(step: () => Promise<StepResult>, wait: Wait = waitReally) {
    this.step = step
    this.wait = wait
  }

  /** There is something new to do. A pause goes on, unless the reason for it is over. */
  wake(options: { endPause?: boolean } = {}): void {
    if (options.endPause) {
      this.endPause?.()
      this.endPause = undefined
      this.pauseMs = shortestPauseMs
    }
    this.isWanted = true
    if (!this.isRunning && this.endPause === undefined && !this.isClosed) void this.run()
  }

  /** A step that is still going on has come through: the next pause is a short one again. */
  succeed(): void {
    this.pauseMs = shortestPauseMs
  }

  close(): void {
    this.isClosed = true
    this.endPause?.()
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
    this.endPause = this.wait(this.pauseMs * (1 + Math.random() / 2), () => {
      this.endPause = undefined
      this.wake()
    })
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs)
  }
}
