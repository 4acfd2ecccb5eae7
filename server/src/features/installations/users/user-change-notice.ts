import { Listeners } from '#base/bus/listeners.ts'
import type { Store } from '#base/store/store.ts'

/** An installation whose user was changed by a commit. */
export interface ChangedUser {
  installationNo: number
  userId: string
}

type Listener = (changed: ChangedUser) => void

const listeners = new Listeners<Listener>()

/** Called in the process that stored the change, before the change is acknowledged. */
export function onUserChange(store: Store, listener: Listener): () => void {
  return listeners.add(store, listener)
}

/** Called after the commit. Other processes find out when they next read from the database. */
export function notifyUserChange(store: Store, changed: ChangedUser): void {
  for (const listener of listeners.of(store)) listener(changed)
}
