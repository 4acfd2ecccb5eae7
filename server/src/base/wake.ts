import type { Store } from './store/store.ts'

type Listener = () => void

const listenersOf = new WeakMap<Store, Set<Listener>>()

/** Told when work was committed by this process. Others find it when they look: nothing depends on being told. */
export function onWork(store: Store, listener: Listener): () => void {
  const listeners = listenersOf.get(store) ?? new Set()
  listenersOf.set(store, listeners)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Called after a commit that left work to do. */
export function announceWork(store: Store): void {
  for (const listener of listenersOf.get(store) ?? []) listener()
}
