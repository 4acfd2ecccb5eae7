import type { Store } from '#base/store/store.ts'
import type { QuotaState } from './quota.ts'

type QuotaStates = ReadonlyMap<number, QuotaState>

const known = new WeakMap<Store, QuotaStates>()

/** Of an app with quotas, what this process read last. */
export function quotaStateOf(store: Store, appId: number): QuotaState | undefined {
  return known.get(store)?.get(appId)
}

export function keepQuotaStates(store: Store, states: QuotaStates): void {
  known.set(store, states)
}
