const atATime = 16

/**
 * Thousands of lines can break in one moment, and the event loop hears of all of them before it does anything else. So
 * each break is only noted then, and what it entails is done for a few lines in every turn of the loop.
 */
export class DisconnectQueue {
  private leaving: (() => void)[] = []
  private next = 0
  private isRunning = false

  leave(putAway: () => void): void {
    this.leaving.push(putAway)
    if (this.isRunning) return
    this.isRunning = true
    setImmediate(() => this.step())
  }

  private step(): void {
    const end = Math.min(this.next + atATime, this.leaving.length)
    while (this.next < end) this.leaving[this.next++]?.()
    if (this.next < this.leaving.length) return void setImmediate(() => this.step())
    this.leaving = []
    this.next = 0
    this.isRunning = false
  }
}
