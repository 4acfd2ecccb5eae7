import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

/** What is under way for one receiver. */
export interface InFlight<Work> {
  /** One of it. */
  work: Work
  count: number
}

interface WorkLoopOptions<Work, Result> {
  name: string
  log: Logger
  everyMs: number
  /** How long `stop` waits for what is under way. */
  stopMs: number
  /** Takes what is due, under a lease or for good. It is given what is under way. */
  take(inFlight: readonly InFlight<Work>[]): Promise<{ work: readonly Work[]; hasMore: boolean }>
  /** Whom the work is for. */
  receiverOf(work: Work): string
  /** Never rejects: whatever happens is a result. */
  run(work: Work): Promise<Result>
  /** Stores results. Those that could not be stored are stored with the next. */
  settle(results: readonly Result[]): Promise<void>
}

/**
 * Work that calls outwards. A turn stores what came of it and takes what is due; the work itself runs beside it, so a slow
 * receiver holds up its own and nobody else's.
 */
export function createWorkLoop<Work, Result>(options: WorkLoopOptions<Work, Result>): Loop {
  const { log, name, everyMs, stopMs, take, receiverOf, run } = options
  const running = new Set<Promise<void>>()
  const inFlight = new Map<string, InFlight<Work>>()
  let results: Result[] = []

  async function settle(): Promise<void> {
    if (results.length === 0) return
    const own = results
    results = []
    try {
      await options.settle(own)
    } catch (error) {
      results = [...own, ...results]
      throw error
    }
  }

  function start(work: Work): void {
    const receiver = receiverOf(work)
    const own = inFlight.get(receiver) ?? { work, count: 0 }
    inFlight.set(receiver, own)
    own.count++
    const call = run(work).then((result) => {
      running.delete(call)
      own.count--
      if (own.count === 0) inFlight.delete(receiver)
      results.push(result)
      loop.wake()
    })
    running.add(call)
  }

  const loop = createLoop({
    ...{ name, log, everyMs },
    turn: async () => {
      await settle()
      const { work, hasMore } = await take([...inFlight.values()])
      for (const each of work) start(each)
      return hasMore
    },
  })

  return {
    ...loop,
    stop: async () => {
      await loop.stop()
      await Promise.race([Promise.all(running), delay(stopMs, undefined, { ref: false })])
      await settle().catch((error) =>
        log.error({ err: error, loop: name }, `some results of ${name} could not be stored`),
      )
    },
  }
}
