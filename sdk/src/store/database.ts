import { PeykError } from '../rest.ts'

type StoreName = 'state' | 'queue' | 'seen' | 'inbox'

/** One IndexedDB per app, shared by its pages, tabs and service worker. Their transactions never overlap on a store. */
export class Database {
  private readonly name: string
  private opened: Promise<IDBDatabase> | undefined

  constructor(appId: string) {
    this.name = `peyk:${appId}`
  }

  /** Runs the work in one transaction and answers what its request answers, when all of it is stored. */
  async run<T>(
    stores: StoreName | StoreName[],
    mode: IDBTransactionMode,
    work: (...stores: IDBObjectStore[]) => IDBRequest<T> | undefined,
  ): Promise<T | undefined> {
    try {
      const database = await this.open()
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(stores, mode, { durability: 'strict' })
        const request = work(...[stores].flat().map((store) => transaction.objectStore(store)))
        transaction.oncomplete = () => resolve(request?.result)
        transaction.onabort = () => reject(transaction.error)
      })
    } catch (error) {
      throw new PeykError('storage', `This browser keeps nothing for the page: ${error}`)
    }
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(this.name, 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('state')
        request.result.createObjectStore('queue', { autoIncrement: true })
        request.result.createObjectStore('seen').createIndex('at', 'at')
        request.result.createObjectStore('inbox', { keyPath: 'id' }).createIndex('receivedAt', 'receivedAt')
      }
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        const forget = () => {
          this.opened = undefined
        }
        request.result.onclose = forget
        request.result.onversionchange = () => {
          request.result.close()
          forget()
        }
        resolve(request.result)
      }
    }).catch((error) => {
      this.opened = undefined
      throw error
    })
    return this.opened
  }
}
