import type { Database } from './database.ts'

const kept = 1_000
const dropped = 200

type Done = 'shown' | 'settled'

/** What was done to recent messages is kept: a message that comes by two ways, or twice by one, is shown once. */
export async function isClaimed(database: Database, what: Done, messageId: string): Promise<boolean> {
  const reading = database.run('seen', 'readonly', (store) => store.getKey(`${what}:${messageId}`))
  return (await reading.catch(console.warn)) !== undefined
}

/**
 * True for the first who asks, whether page, tab or service worker; false for all who come later. Where nothing can be
 * kept any more everybody is the first: better twice than never.
 */
export async function claim(database: Database, what: Done, messageId: string): Promise<boolean> {
  let isFirst = true
  const claiming = database.run('seen', 'readwrite', (store) => {
    const key = `${what}:${messageId}`
    const reading = store.getKey(key)
    reading.onsuccess = () => {
      isFirst = reading.result === undefined
      if (!isFirst) return
      store.put({ at: Date.now() }, key)
      dropOldest(store)
    }
    return undefined
  })
  await claiming.catch(console.warn)
  return isFirst
}

function dropOldest(store: IDBObjectStore): void {
  const counting = store.count()
  counting.onsuccess = () => {
    if (counting.result <= kept) return
    const oldest = store.index('at').getAllKeys(null, dropped)
    oldest.onsuccess = () => {
      for (const key of oldest.result) store.delete(key)
    }
  }
}
