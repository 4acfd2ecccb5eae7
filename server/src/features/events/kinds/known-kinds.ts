import type { Store } from '../../../base/store/store.ts'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'

/** Kinds of values that are committed, and so never change: what an event may be checked against without asking. */
export interface KnownKinds {
  ofEvent(appId: number, key: string): ReadonlyMap<string, ValueKind> | undefined
  add(appId: number, key: string, name: string, kind: ValueKind): void
}

const maxNames = 50_000
const caches = new WeakMap<Store, KnownKinds>()

export function knownKinds(store: Store): KnownKinds {
  let cache = caches.get(store)
  if (!cache) {
    cache = createKnownKinds(maxNames)
    caches.set(store, cache)
  }
  return cache
}

export function createKnownKinds(limit: number): KnownKinds {
  const apps = new Map<number, Map<string, Map<string, ValueKind>>>()
  let size = 0
  return {
    ofEvent: (appId, key) => apps.get(appId)?.get(key),
    add(appId, key, name, kind) {
      if (size >= limit) {
        apps.clear()
        size = 0
      }
      const events = apps.get(appId) ?? new Map<string, Map<string, ValueKind>>()
      const names = events.get(key) ?? new Map<string, ValueKind>()
      apps.set(appId, events.set(key, names))
      if (!names.has(name)) size++
      names.set(name, kind)
    },
  }
}
