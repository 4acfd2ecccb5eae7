import type { Store, Transaction } from '../../base/store/store.ts'

/** A store whose every write belongs to one transaction: calls of many verbs are still collected into batches, and committed together. */
export function storeInTransaction(tx: Transaction): Store {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result
    return result
  }
  const { client } = tx
  const query: Store['query'] = (statement, name) => inTurn(() => tx.query(statement, name))
  // Their statements may interleave, for they are one transaction; but one connection takes one statement at a time.
  return {
    query,
    transaction: (work) => work({ client, query }),
    onDrain: () => {},
    drain: async () => {},
    close: async () => {},
  }
}
