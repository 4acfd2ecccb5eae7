import { busOf } from '#base/bus/bus.ts'
import { runAsService } from '#base/store/pool/connection-scope.ts'
import type { Store } from '#base/store/store.ts'
import { findHolders } from '../../installations/connections/connections-store.ts'

export type ToldKey = [appId: number, installationNo: number]

const mostTogether = 5_000

/**
 * Tells each process of the inboxes of its own clients, and nobody of the others'. Who holds which is asked for together: one
 * statement for all that came while the last one was under way.
 */
class HolderNotices {
  private readonly store: Store
  private readonly topic: string
  private waiting: ToldKey[] = []
  private telling: Promise<void> | undefined

  constructor(store: Store, topic: string) {
    this.store = store
    this.topic = topic
    store.onDrain(async () => void (await this.telling))
  }

  add(keys: readonly ToldKey[]): void {
    this.waiting.push(...keys)
    this.telling ??= runAsService(() => this.tell())
  }

  private async tell(): Promise<void> {
    while (this.waiting.length > 0) {
      const keys = this.waiting.splice(0, mostTogether)
      const asked = keys.map(([appId, installationNo]) => ({ appId, installationNo }))
      // Their processes look by themselves when nobody can say who they are.
      const holders = await findHolders(this.store, asked).catch(() => new Map<number, string>())
      for (const [holder, own] of Map.groupBy(keys, ([, installationNo]) => holders.get(installationNo)))
        if (holder !== undefined) void busOf(this.store).tell(this.topic, own, holder)
    }
    this.telling = undefined
  }
}

const notices = new WeakMap<Store, HolderNotices>()

export function holderNoticesOf(store: Store, topic: string): HolderNotices {
  const own = notices.get(store) ?? new HolderNotices(store, topic)
  notices.set(store, own)
  return own
}
