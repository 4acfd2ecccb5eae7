import type { Wait } from '../phones/retry-loop.ts'

interface Entry {
  /** In the crowd's own time. */
  at: number
  act: () => void
}

/** No more of them at once: the service is in the same process, and has others to answer. */
const actsPerTurn = 10
const turnMs = 25
const longestWaitMs = 3_600_000

const waitReally: Wait = (ms, then) => {
  const timer = setTimeout(then, ms).unref()
  return () => clearTimeout(timer)
}

/** What is to be done when, by a clock that goes `pace` times as fast as ours and stands still at 0. */
export class Agenda {
  private readonly entries: Entry[] = []
  private readonly now: () => number
  private readonly wait: Wait
  private rate: number
  /** What the crowd's clock showed when ours showed `measuredAt`. */
  private shown = 0
  private measuredAt: number
  private endWait: (() => void) | undefined

  constructor(pace: number, now: () => number = () => performance.now(), wait: Wait = waitReally) {
    this.rate = pace
    this.now = now
    this.wait = wait
    this.measuredAt = now()
  }

  get length(): number {
    return this.entries.length
  }

  set pace(pace: number) {
    this.shown = this.time()
    this.measuredAt = this.now()
    this.rate = pace
    this.look()
  }

  /** Those of the same time in the order in which they were put down. */
  after(ms: number, act: () => void): void {
    const at = this.time() + ms
    const later = this.entries.findIndex((entry) => entry.at > at)
    this.entries.splice(later === -1 ? this.entries.length : later, 0, { at, act })
    if (later === 0 || this.entries.length === 1) this.look()
  }

  clear(): void {
    this.entries.length = 0
    this.look()
  }

  private time(): number {
    return this.shown + (this.now() - this.measuredAt) * this.rate
  }

  private look(leastMs = 0): void {
    this.endWait?.()
    this.endWait = undefined
    const [next] = this.entries
    if (!next || this.rate === 0) return
    const ms = Math.min(Math.max((next.at - this.time()) / this.rate, leastMs), longestWaitMs)
    this.endWait = this.wait(ms, () => {
      this.runDue()
      this.look(turnMs)
    })
  }

  private runDue(): void {
    const now = this.time()
    for (let count = 0; count < actsPerTurn; count++) {
      const [next] = this.entries
      if (!next || next.at > now) return
      this.entries.shift()
      next.act()
    }
  }
}
