import { LRUCache } from 'lru-cache'
import type { Store } from '#base/store/store.ts'
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

/** The events that were not asked for longest are forgotten when there are more names than `limit`. */
export function createKnownKinds(limit: number): KnownKinds {
  const events = new LRUCache<string, Map<string, ValueKind>>({
    maxSize: limit,
    sizeCalculation: (names) => names.size,
  })
  return {
    ofEvent: (appId, key) => events.get(`${appId}/${key}`),
    add(appId, key, name, kind) {
      const event = `${appId}/${key}`
      const names = events.get(event) ?? new Map<string, ValueKind>()
      // Taken out first: what is set again is not measured again.
      events.delete(event)
      events.set(event, names.set(name, kind))
    },
  }
}
