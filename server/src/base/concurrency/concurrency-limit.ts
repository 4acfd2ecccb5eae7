import { RequestError } from '../errors.ts'

interface Limit {
  atOnce: number
  /** Maximum waiting; further calls are refused with `tooMany`. Default: no limit. */
  waiting?: { max: number; tooMany: string }
}

/** Limits how many run at once in this process. */
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
