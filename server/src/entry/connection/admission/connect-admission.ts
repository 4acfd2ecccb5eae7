import { performance } from 'node:perf_hooks'

const atATime = 64
const stepMs = 5
/** Under whatever load, so many come in within this time. */
const longestMs = 200

/** Those who were let in together. */
interface Group {
  entered: number
  /** Let in and not answered yet. */
  open: number
  since: ReturnType<typeof performance.eventLoopUtilization>
}

/**
 * Thousands of clients come back at once after a cut. They are let in by the group, the next one when all of the last
 * have been answered and the process has been idle as long as it was busy since: so everybody else's requests are
 * answered meanwhile, and a database that is slow gets no larger statements for it, whose answers would come all at once.
 */
export class ConnectAdmission {
  private readonly waiting: (() => void)[] = []
  private group = newGroup()
  private timer: NodeJS.Timeout | undefined

  async letIn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length > 0 || this.group.entered === atATime) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else {
      if (this.group.entered === 0) this.group = newGroup()
      this.group.entered++
      this.group.open++
      this.lookLater()
    }
    const { group } = this
    try {
      return await work()
    } finally {
      group.open--
    }
  }

  private lookLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.look()
    }, stepMs).unref()
  }

  private look(): void {
    const { open, since } = this.group
    const { active, idle } = performance.eventLoopUtilization(since)
    const isDone = open === 0 && active <= idle
    if (!isDone && active + idle < longestMs) return void this.lookLater()
    this.group = newGroup()
    const entering = this.waiting.splice(0, atATime)
    this.group.entered = this.group.open = entering.length
    for (const enter of entering) enter()
    if (entering.length > 0) this.lookLater()
  }
}

function newGroup(): Group {
  return { entered: 0, open: 0, since: performance.eventLoopUtilization() }
}
