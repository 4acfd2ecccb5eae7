import type { Store } from '../store/store.ts'
import { Listeners } from './listeners.ts'

type Listener = () => void

const listeners = new Listeners<Listener>()

/** Told when work was committed by this process. Others find it when they look: nothing depends on being told. */
export function onWork(store: Store, listener: Listener): () => void {
  return listeners.add(store, listener)
}

/** Called after a commit that left work to do. */
export function announceWork(store: Store): void {
  for (const listener of listeners.of(store)) listener()
}
