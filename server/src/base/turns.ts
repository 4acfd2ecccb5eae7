import { RequestError } from './errors.ts'

/** Lets so many run at once in this process; some more wait for their turn, and who comes after them is sent away. */
export function limitTurns(limit: { atOnce: number; maxWaiting: number; tooMany: string }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= limit.maxWaiting) {
      throw new RequestError('too-many-requests', limit.tooMany, { retryAfterSeconds: 5 })
    }
    if (running < limit.atOnce) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
