import type { Message } from '../message.ts'
import type { Database } from './database.ts'
import type { Installation, State } from './state.ts'

interface KeptMessage extends Message {
  receivedAt: number
  /** Whose browser it was then. */
  receivedBy: string
}

const kept = 200

/**
 * True when it was not there, or cannot be kept: a message comes again until its acknowledgement has arrived. It is not
 * kept when the browser is another user's by now.
 */
export async function keepMessage(database: Database, message: Message, receivedBy: string): Promise<boolean> {
  let isNew = true
  const keeping = database.run(['inbox', 'state'], 'readwrite', (inbox, state) => {
    readUserId(state, (userId) => {
      if (userId !== receivedBy) return
      const reading = inbox.getKey(message.id)
      reading.onsuccess = () => {
        isNew = reading.result === undefined
        if (!isNew) return
        inbox.put({ ...message, receivedAt: Date.now(), receivedBy } satisfies KeptMessage)
        const keys = inbox.index('receivedAt').getAllKeys()
        keys.onsuccess = () => {
          for (const key of keys.result.slice(0, -kept)) inbox.delete(key)
        }
      }
    })
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

export async function dropMessage(database: Database, id: string): Promise<void> {
  await database.run('inbox', 'readwrite', (store) => store.delete(id))
}

/** Of a user who logged out nothing stays in the browser. Another tab may have changed the user since: the kept one counts. */
export async function dropOthersMessages(database: Database): Promise<void> {
  await database.run(['inbox', 'state'], 'readwrite', (inbox, state) => {
    readUserId(state, (userId) => {
      const reading: IDBRequest<KeptMessage[]> = inbox.getAll()
      reading.onsuccess = () => {
        for (const { id, receivedBy } of reading.result) if (receivedBy !== userId) inbox.delete(id)
      }
    })
    return undefined
  })
}

/** Whose browser it is; within the transaction of the store. */
function readUserId(state: IDBObjectStore, use: (userId: string | undefined) => void): void {
  const reading: IDBRequest<Installation | undefined> = state.get('installation' satisfies keyof State)
  reading.onsuccess = () => use(reading.result?.userId)
}
