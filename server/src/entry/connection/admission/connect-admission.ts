import { performance } from 'node:perf_hooks'

const atATime = 32
const stepMs = 5
/** Under whatever load, so many come in within this time. */
const longestMs = 100

/**
 * Thousands of clients come back at once after a cut. They are let in by the group, the next one when the process has
 * been idle as long as it was busy since the last: so that everybody else's requests are answered meanwhile.
 */
export class ConnectAdmission {
  private readonly waiting: (() => void)[] = []
  private entered = 0
  private since = performance.eventLoopUtilization()
  private timer: NodeJS.Timeout | undefined

  /** Undefined for who need not wait. */
  enter(): Promise<void> | undefined {
    if (this.waiting.length > 0 || this.entered === atATime) {
      return new Promise((resolve) => this.waiting.push(resolve))
    }
    if (this.entered === 0) this.since = performance.eventLoopUtilization()
    this.entered++
    this.lookLater()
    return undefined
  }

  private lookLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.look()
    }, stepMs).unref()
  }

  private look(): void {
    const { active, idle } = performance.eventLoopUtilization(this.since)
    if (active > idle && active + idle < longestMs) return void this.lookLater()
    this.since = performance.eventLoopUtilization()
    const group = this.waiting.splice(0, atATime)
    this.entered = group.length
    for (const enter of group) enter()
    if (group.length > 0) this.lookLater()
  }
}
