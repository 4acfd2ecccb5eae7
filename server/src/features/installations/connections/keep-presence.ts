import { busOf } from '#base/bus/bus.ts'
import type { Peer } from '#base/bus/peers.ts'
import type { Role } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import type { Store } from '#base/store/store.ts'
import { type HeldConnection, holdConnections } from './hold-connections.ts'
import type { LostConnection } from './holders-store.ts'
import type { StoreContact } from './store-contact.ts'

const topic = 'joined'

/** To be called every few seconds by every process, whatever its roles: it lives, and finds out who else does. */
export async function keepPresence(
  ctx: Pick<Context, 'store'>,
  input: {
    aliveMs: number
    roles: readonly Role[]
    storeContact: StoreContact
    listHeld: () => readonly HeldConnection[]
  },
): Promise<{ lost: LostConnection[]; others: Peer[]; isNew: boolean }> {
  const bus = busOf(ctx.store)
  const askedAtMs = performance.now()
  const held = await holdConnections(ctx, { ...input, holder: bus.id })
  bus.peers.record(held.others, askedAtMs)
  if (held.isNew) void bus.tell(topic, bus.id)
  return held
}

/** Others that join are noticed at once. */
export function hearWhoJoins(store: Store): () => void {
  const bus = busOf(store)
  return bus.on(topic, () => bus.peers.recordJoined(performance.now()))
}
