import type { Database } from './database.ts'

/** An event or a receipt as the service takes it. */
export type QueuedElement = { type: 1 | 2 } & Record<string, unknown>

const kept = 5_000

/** What still has to be reported, in its order. When it is full the oldest go. */
export async function enqueue(database: Database, element: QueuedElement): Promise<void> {
  await database.run('queue', 'readwrite', (store) => {
    store.add(element)
    const counting = store.count()
    counting.onsuccess = () => {
      if (counting.result <= kept) return
      const oldest = store.getAllKeys(null, counting.result - kept)
      oldest.onsuccess = () => {
        for (const key of oldest.result) store.delete(key)
      }
    }
    return undefined
  })
}

export interface QueuedPart {
  keys: IDBValidKey[]
  elements: QueuedElement[]
}

export async function readQueue(database: Database, count: number): Promise<QueuedPart> {
  const keys: { result: IDBValidKey[] } = { result: [] }
  const elements = await database.run<QueuedElement[]>('queue', 'readonly', (store) => {
    const reading = store.getAllKeys(null, count)
    reading.onsuccess = () => {
      keys.result = reading.result
    }
    return store.getAll(null, count)
  })
  return { keys: keys.result, elements: elements ?? [] }
}

export async function dequeue(database: Database, keys: readonly IDBValidKey[]): Promise<void> {
  await database.run('queue', 'readwrite', (store) => {
    for (const key of keys) store.delete(key)
    return undefined
  })
}
