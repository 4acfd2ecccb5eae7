import type { Store } from '../store/store.ts'

/** Who wants to be told of something in this process, on a store. */
export class Listeners<Listener> {
  private readonly ofStore = new WeakMap<Store, Set<Listener>>()

  add(store: Store, listener: Listener): () => void {
    const listeners = this.ofStore.get(store) ?? new Set()
    this.ofStore.set(store, listeners)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  of(store: Store): Listener[] {
    return [...(this.ofStore.get(store) ?? [])]
  }
}
