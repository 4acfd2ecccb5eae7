import { busOf } from '#base/bus/bus.ts'
import type { Config } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { createLoop } from '#base/loop.ts'
import type { Store } from '#base/store/store.ts'
import { hearKeyChanges } from '#features/accounts/access-tokens/key-change.ts'
import { hearIdentityChanges } from '#features/accounts/apps/identity-change.ts'
import { endLiveMessages } from '#features/deliveries/inbox/end-live-messages.ts'
import { hearWhoJoins, keepPresence } from '#features/installations/connections/keep-presence.ts'
import { releaseConnections } from '#features/installations/connections/release-connections.ts'
import { StoreContact } from '#features/installations/connections/store-contact.ts'
import { LeftClients } from './left-clients.ts'
import { leasesAfterLeaving } from './upkeep.ts'

/** What every process hears of the others. */
export function hearOthers(store: Store): (() => void)[] {
  return [hearWhoJoins(store), hearIdentityChanges(store), hearKeyChanges(store)]
}

/**
 * A process without connections of clients among the others: they know of it, it of them, and it gives up those that are
 * dead, as a process with connections does in its upkeep.
 */
export function createPresence(
  services: Pick<Context, 'store' | 'log'> & { config: Pick<Config, 'durations' | 'roles'> },
) {
  const { store, log } = services
  const { durations, roles } = services.config
  const { aliveMs, holdEveryMs, deliveryLeaseMs } = durations
  const storeContact = new StoreContact(aliveMs)
  const left = new LeftClients()
  const turn = async (): Promise<boolean> => {
    const startedAtMs = performance.now()
    const { lost } = await keepPresence(services, { aliveMs, roles, storeContact, listHeld: () => [] })
    for (const installation of lost) left.record(installation)
    await endLiveMessages(services, { installations: left.all })
    left.forget(startedAtMs - deliveryLeaseMs * leasesAfterLeaving)
    return false
  }
  const loop = createLoop({ name: 'the presence among other processes', log, everyMs: holdEveryMs, turn })
  let stops: (() => void)[] = []
  return {
    start(): void {
      stops = hearOthers(store)
      loop.start()
    },
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      await loop.stop()
      await releaseConnections(services, { holder: busOf(store).id })
    },
  }
}
