import { findLiveKeys, type LiveKey } from '#features/accounts/access-tokens/find-live-keys.ts'
import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'

/** Closes the connections of keys that are revoked, have expired, lost their app, or may not be used from that page any more. */
export async function closeRevoked(services: Pick<ConnectionServices, 'store' | 'connections'>): Promise<void> {
  const byKey = new Map<string, ClientConnection[]>()
  for (const connection of services.connections.all) {
    if (!connection.client || connection.stage !== 'connected') continue
    const { key } = connection.client
    const sharing = byKey.get(key)
    if (sharing) sharing.push(connection)
    else byKey.set(key, [connection])
  }
  if (byKey.size === 0) return
  const live = await findLiveKeys(services, [...byKey.keys()])
  for (const [key, connections] of byKey) {
    for (const connection of connections) {
      if (!isAllowed(live.get(key), connection.transport.origin)) connection.close('not-authorised')
    }
  }
}

function isAllowed(key: LiveKey | undefined, origin: string | undefined): boolean {
  return key !== undefined && (!key.origins || origin === undefined || key.origins.includes(origin))
}
