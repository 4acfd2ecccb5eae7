import { setTimeout as delay } from 'node:timers/promises'
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
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isWoken = false
  let interrupt = new AbortController()

  async function pause(ms: number): Promise<void> {
    if (shortestWaitMs > 0)
      await delay(Math.min(ms, shortestWaitMs), undefined, { signal: stopping.signal }).catch(() => undefined)
    if (isWoken || stopping.signal.aborted || ms <= shortestWaitMs) return
    interrupt = new AbortController()
    const signal = AbortSignal.any([interrupt.signal, stopping.signal])
    await delay(ms - shortestWaitMs, undefined, { signal }).catch(() => undefined)
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      isWoken = false
      try {
        const hasMore = await turn()
        failures = 0
        if (!hasMore) await pause(everyMs)
      } catch (error) {
        failures++
        if (!isStoreAway(error)) log.error({ err: error, loop: name }, `${name} failed and goes on`)
        else if (failures === 1) log.warn({ loop: name }, `${name} waits for the database`)
        const ms = Math.min(everyMs * 2 ** Math.min(failures - 1, 10), longestWaitMs)
        await delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: () => {
      isWoken = true
      interrupt.abort()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
