const tickMs = 250

/**
 * Rejects with a store that is away when the answer has not come after so long. Time in which this process stood still
 * itself counts as one tick at most: then the answer may lie in its socket, unread.
 */
export function rejectWhenSilent<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticksLeft = Math.max(1, Math.ceil(limitMs / tickMs))
    const ticker = setInterval(
      () => {
        if (--ticksLeft > 0) return
        clearInterval(ticker)
        reject(new SilentPostgresError())
      },
      Math.min(tickMs, limitMs),
    )
    const end = () => clearInterval(ticker)
    answer.finally(end).then(resolve, reject)
  })
}

/** Its message is one of those that `isStoreAway` knows. */
export class SilentPostgresError extends Error {
  constructor() {
    super('Connection error: PostgreSQL does not answer')
  }
}
