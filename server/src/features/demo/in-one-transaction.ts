import type { Store } from '#base/store/store.ts'

/**
 * Gives the work a store whose every write belongs to one transaction: calls of many verbs are still collected into
 * batches, and all of them are committed together or not at all.
 */
export function inOneTransaction<T>(store: Store, work: (inner: Store) => Promise<T>): Promise<T> {
  return store.transaction(async (tx) => {
    let isOver = false
    const statements = inTurn()
    const transactions = inTurn()
    const query: Store['query'] = (statement, name) =>
      statements(async () => {
        // What was still waiting when something failed must not be written after the rollback.
        if (isOver) throw new Error('The transaction is over.')
        return tx.query(statement, name)
      })
    try {
      return await work({
        poolSize: 1,
        findAddress: store.findAddress,
        query,
        transaction: (part) => transactions(() => part({ client: tx.client, query, afterCommit: tx.afterCommit })),
        listen: store.listen,
        takeLock: store.takeLock,
        maintain: store.maintain,
        onDrain: () => {},
        drain: async () => {},
        close: async () => {},
      })
    } finally {
      isOver = true
    }
  })
}

/** Runs what it is given one after the other. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result
    return result
  }
}
