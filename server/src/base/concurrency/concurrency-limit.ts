import { RequestError } from '../errors.ts'

interface Limit {
  atOnce: number
  /** So many wait for their turn, and who comes after them is sent away with these words; all wait unless given. */
  waiting?: { max: number; tooMany: string }
}

/** Lets so many run at once in this process. */
export function limitConcurrency(limit: Limit) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.waiting && waiting.length >= limit.waiting.max) {
      throw new RequestError('too-many-requests', limit.waiting.tooMany, { retryAfterSeconds: 5 })
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
