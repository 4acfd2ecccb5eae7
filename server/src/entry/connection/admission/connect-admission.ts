import { performance } from 'node:perf_hooks'

const atATime = 64
const stepMs = 5
/** Under whatever load, so many come in within this time. */
const usualLongestMs = 200

/**
 * Thousands of clients come back at once after a cut. They are let in by the group, the next one when most before it have
 * been answered and the process has been idle as long as it was busy since: so everybody else's requests are answered
 * meanwhile, and a database that is slow gets no larger statements for it, whose answers would come all at once.
 */
export class ConnectAdmission {
  private readonly longestMs: number
  private readonly waiting: (() => void)[] = []
  /** Of the last group. */
  private entered = 0
  /** Let in and not answered yet. */
  private open = 0
  private since = performance.eventLoopUtilization()
  private timer: NodeJS.Timeout | undefined

  constructor({ longestMs = usualLongestMs } = {}) {
    this.longestMs = longestMs
  }

  async letIn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length > 0 || this.entered === atATime) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else {
      if (this.entered === 0) this.since = performance.eventLoopUtilization()
      this.entered++
      this.lookLater()
    }
    this.open++
    try {
      return await work()
    } finally {
      this.open--
    }
  }

  private lookLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.look()
    }, stepMs).unref()
  }

  private look(): void {
    const { active, idle } = performance.eventLoopUtilization(this.since)
    const isCalm = this.open <= atATime / 2 && active <= idle
    if (!isCalm && active + idle < this.longestMs) return void this.lookLater()
    this.since = performance.eventLoopUtilization()
    const group = this.waiting.splice(0, atATime)
    this.entered = group.length
    for (const enter of group) enter()
    if (group.length > 0) this.lookLater()
  }
}
