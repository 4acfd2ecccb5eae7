import type { Logger } from './log.ts'
import { isStoreAway } from './store/store-error.ts'

export interface Loop {
  start(): void
  /** There is something to do: the next turn comes at once. */
  wake(): void
  /** Returns when the turn under way has ended. */
  stop(): Promise<void>
}

interface LoopOptions {
  name: string
  log: Logger
  everyMs: number
  /** Whoever is woken all the time still lets what comes together go together; 10 unless given. */
  shortestWaitMs?: number
  /** One turn; true when there is more to do at once. */
  turn: () => Promise<boolean>
}

const longestWaitMs = 4_000

/**
 *   turn ──more──▶ turn
 *     └──▶ wait for the time or a wake ──▶ turn
 *     └──failed──▶ wait, twice as long each time ──▶ turn
 */
export function createLoop({ name, log, everyMs, shortestWaitMs = 10, turn }: LoopOptions): Loop {
  let running: Promise<void> | undefined
  let isStopped = false
  let isWoken = false
  let endWait: ((isStop: boolean) => void) | undefined

  function wait(ms: number, canBeWoken: boolean): Promise<void> {
    if (isStopped || (canBeWoken && isWoken)) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        endWait = undefined
        resolve()
      }
      const timer = setTimeout(end, ms)
      endWait = (isStop) => {
        if (isStop || canBeWoken) end()
      }
    })
  }

  async function run(): Promise<void> {
    let failures = 0
    let wasAway = false
    while (!isStopped) {
      isWoken = false
      try {
        const hasMore = await turn()
        failures = 0
        wasAway = false
        if (hasMore) continue
        if (shortestWaitMs > 0) await wait(Math.min(everyMs, shortestWaitMs), false)
        if (everyMs > shortestWaitMs) await wait(everyMs - shortestWaitMs, true)
      } catch (error) {
        failures++
        if (!isStoreAway(error)) log.error({ err: error, loop: name }, `${name} failed and goes on`)
        else if (!wasAway) log.warn({ loop: name }, `${name} waits for the database`)
        wasAway = isStoreAway(error)
        await wait(Math.min(everyMs * 2 ** Math.min(failures - 1, 10), longestWaitMs), false)
      }
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: () => {
      isWoken = true
      endWait?.(false)
    },
    stop: async () => {
      isStopped = true
      endWait?.(true)
      await running
    },
  }
}
