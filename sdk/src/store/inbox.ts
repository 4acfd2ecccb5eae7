import type { Message } from '../message.ts'
import type { Database } from './database.ts'

interface KeptMessage extends Message {
  receivedAt: number
  /** Whose browser it was then. */
  receivedBy: string
}

const kept = 200

/** True when it was not there, or cannot be kept: a message comes again until its acknowledgement has arrived. */
export async function keepMessage(database: Database, message: Message, receivedBy: string): Promise<boolean> {
  let isNew = true
  const keeping = database.run('inbox', 'readwrite', (store) => {
    const reading = store.getKey(message.id)
    reading.onsuccess = () => {
      isNew = reading.result === undefined
      if (!isNew) return
      store.put({ ...message, receivedAt: Date.now(), receivedBy } satisfies KeptMessage)
      const keys = store.index('receivedAt').getAllKeys()
      keys.onsuccess = () => {
        for (const key of keys.result.slice(0, -kept)) store.delete(key)
      }
    }
    return undefined
  })
  await keeping.catch(console.warn)
  return isNew
}

/** The newest first; what has expired is not shown any more. */
export async function listMessages(database: Database, userId: string): Promise<Message[]> {
  const messages = await database.run<KeptMessage[]>('inbox', 'readonly', (store) => store.getAll())
  return (messages ?? [])
    .filter(({ receivedBy }) => receivedBy === userId)
    .filter((message) => endOf(message) > Date.now())
    .sort((left, right) => right.createdAt - left.createdAt || right.receivedAt - left.receivedAt)
    .map(({ receivedAt: _at, receivedBy: _by, ...message }) => message)
}

/** What has come had not expired: where this clock says so it is fast, and the message lives its time from then. */
export function endOf({ expireAt, createdAt, receivedAt }: Omit<KeptMessage, 'receivedBy'>): number {
  if (expireAt === undefined) return Number.POSITIVE_INFINITY
  return expireAt > receivedAt ? expireAt : receivedAt + (expireAt - createdAt)
}

/** The message as it was before; undefined when there is none. */
export async function markMessageRead(database: Database, id: string): Promise<Message | undefined> {
  return database.run<KeptMessage | undefined>('inbox', 'readwrite', (store) => {
    const reading: IDBRequest<KeptMessage | undefined> = store.get(id)
    reading.onsuccess = () => {
      if (reading.result && !reading.result.isRead) store.put({ ...reading.result, isRead: true })
    }
    return reading
  })
}

/** Of a user who logged out nothing stays in the browser. */
export async function dropOthersMessages(database: Database, userId: string): Promise<void> {
  await database.run<KeptMessage[]>('inbox', 'readwrite', (store) => {
    const reading: IDBRequest<KeptMessage[]> = store.getAll()
    reading.onsuccess = () => {
      for (const { id, receivedBy } of reading.result) if (receivedBy !== userId) store.delete(id)
    }
    return reading
  })
}
